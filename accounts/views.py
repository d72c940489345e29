"""HTTP doors of the accounts area."""

from accounts import selectors
from accounts.authentication import SignedInRequest
from accounts.serializers import AccountOut
from core.api.operations import OperationViewSet, operation
from core.api.scopes import Scope


class AccountViewSet(OperationViewSet):
    @operation(scope=Scope.ACCOUNT_READ, returns=AccountOut)
    def get_account(self, request: SignedInRequest) -> selectors.AccountView:
        """Get the signed-in account and its permissions: which operations this credential allows or lacks."""
        return selectors.account(user=request.user, credential=request.auth)
