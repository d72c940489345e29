from allauth.account.views import email, password_set
from allauth.mfa.totp.views import activate_totp
from django.urls import path, re_path

from accounts import pages, pages_sign_in
from accounts.sessions import shown_lately, signed_in, signed_in_lately
from accounts.views import AccountViewSet

API = [path("me", AccountViewSet.as_view({"get": "get_account"}))]
PAGES = [
    path("accounts/login/", pages_sign_in.SignIn.as_view()),
    path("accounts/signup/", pages_sign_in.SignUp.as_view()),
    path("accounts/login/code/", pages_sign_in.RequestCode.as_view()),
    path("accounts/login/code/confirm/", pages_sign_in.ConfirmCode.as_view()),
    path("accounts/reauthenticate/code/", pages_sign_in.fresh_sign_in, name="reauthenticate_code"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", pages_sign_in.ConfirmAddress.as_view()),
    # new ways into an account, which allauth gives to any session of who has no password
    path("accounts/email/", signed_in(signed_in_lately(email))),
    path("accounts/password/set/", shown_lately(password_set)),
    path("accounts/2fa/totp/activate/", shown_lately(activate_totp)),
    path("account", pages.overview, name="account_overview"),
    path("account/keys", pages.keys, name="account_keys"),
    path("account/keys/<int:key_id>/rotate", pages.rotate_key, name="rotate_key"),
    path("account/keys/<int:key_id>/revoke", pages.revoke_key, name="revoke_key"),
    path("account/webhooks", pages.webhooks, name="account_webhooks"),
    path("account/webhooks/<int:endpoint_id>", pages.webhook, name="account_webhook"),
    path("account/webhooks/<int:endpoint_id>/types", pages.choose_types, name="webhook_types"),
    path("account/webhooks/<int:endpoint_id>/rotate", pages.rotate_secret, name="rotate_webhook"),
    path("account/webhooks/<int:endpoint_id>/test", pages.send_test, name="test_webhook"),
    path("account/webhooks/<int:endpoint_id>/delete", pages.delete, name="delete_webhook"),
    re_path(
        r"^account/webhooks/(?P<endpoint_id>[0-9]{1,18})/(?P<to>on|off)$", pages.switch, name="switch_webhook"
    ),
    path(
        "account/webhooks/<int:endpoint_id>/deliveries/<int:delivery_id>/redeliver",
        pages.redeliver,
        name="redeliver",
    ),
]
