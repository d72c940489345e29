"""Page addresses of the accounts area."""

from django.urls import path, re_path

from accounts import pages, pages_fresh, pages_sign_in, pages_webhooks

urlpatterns = [
    path("accounts/login/", pages_sign_in.SignIn.as_view()),
    path("accounts/signup/", pages_sign_in.SignUp.as_view()),
    path("accounts/login/code/", pages_sign_in.RequestCode.as_view()),
    path("accounts/login/code/confirm/", pages_sign_in.ConfirmCode.as_view()),
    path("accounts/reauthenticate/code/", pages_fresh.fresh_sign_in, name="reauthenticate_code"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", pages_sign_in.ConfirmAddress.as_view()),
    path("account", pages.overview, name="account_overview"),
    path("account/keys", pages.keys, name="account_keys"),
    path("account/keys/<int:key_id>/rotate", pages.rotate_key, name="rotate_key"),
    path("account/keys/<int:key_id>/revoke", pages.revoke_key, name="revoke_key"),
    path("account/webhooks", pages_webhooks.webhooks, name="account_webhooks"),
    path("account/webhooks/<int:endpoint_id>", pages_webhooks.webhook, name="account_webhook"),
    path("account/webhooks/<int:endpoint_id>/types", pages_webhooks.choose_types, name="webhook_types"),
    path("account/webhooks/<int:endpoint_id>/rotate", pages_webhooks.rotate_secret, name="rotate_webhook"),
    path("account/webhooks/<int:endpoint_id>/test", pages_webhooks.send_test, name="test_webhook"),
    path("account/webhooks/<int:endpoint_id>/delete", pages_webhooks.delete, name="delete_webhook"),
    re_path(
        r"^account/webhooks/(?P<endpoint_id>[0-9]{1,18})/(?P<to>on|off)$",
        pages_webhooks.switch,
        name="switch_webhook",
    ),
    path(
        "account/webhooks/<int:endpoint_id>/deliveries/<int:delivery_id>/redeliver",
        pages_webhooks.redeliver,
        name="redeliver",
    ),
]
