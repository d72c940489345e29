"""HTTP doors of the accounts area."""

from rest_framework.request import Request

from accounts import selectors
from accounts.serializers import AccountOut
from core.operations import OperationViewSet, operation
from core.scopes import Scope


class AccountViewSet(OperationViewSet):
    """The signed-in person."""

    @operation(scope=Scope.ACCOUNT_READ, returns=AccountOut)
    def get_account(self, request: Request) -> selectors.AccountView:
        """Say who is signed in, and which operations this credential allows or lacks."""
        return selectors.account(user=request.user, credential=request.auth)
