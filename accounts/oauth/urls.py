"""Addresses of the authorization server and of connected apps."""

from django.urls import path

from accounts.oauth import views
from accounts.oauth.audience import RESOURCES
from accounts.oauth.browsers import open_to_browsers
from core.methods import require_safe

published = open_to_browsers("GET", "HEAD")
posted = open_to_browsers("POST")
resource = published(require_safe(views.protected_resource))

urlpatterns = [
    path("oauth/authorize", views.consent, name="oauth_authorize"),
    path("oauth/token", posted(views.token), name="oauth_token"),
    path("oauth/revoke", posted(views.revoke), name="oauth_revoke"),
    path("oauth/register", posted(views.register), name="oauth_register"),
    path(
        "oauth/register/<str:client_id>",
        open_to_browsers("GET", "PUT", "DELETE")(views.registered_client),
        name="oauth_registered_client",
    ),
    path(
        ".well-known/oauth-authorization-server",
        published(require_safe(views.authorization_server)),
    ),
    path(".well-known/oauth-protected-resource", resource),
    *(
        path(f".well-known/oauth-protected-resource/{name}", resource, {"resource": name})
        for name in RESOURCES
    ),
    path("account/apps", views.connected_apps, name="connected_apps"),
    path("account/apps/<int:app_id>/disconnect", views.disconnect_app, name="disconnect_app"),
]
