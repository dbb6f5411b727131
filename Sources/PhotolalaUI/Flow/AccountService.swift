import PhotolalaClient

/// The calls of a session that the screens make. ``PhotolalaSession`` implements it; previews use stored values.
protocol AccountService: Sendable {
    /// Returns the calls for one account. They throw `notSignedIn` while another one is signed in.
    func account(of user: UserID) -> any AccountService

    func signedInUserID() async throws(PhotolalaError) -> UserID?
    func forgetUnusable() async throws(PhotolalaError) -> [SecretStorageError]
    func pendingIdentity() async throws(PhotolalaError) -> PendingIdentity?
    func challenge(for purpose: ChallengePurpose) async throws(PhotolalaError) -> Challenge
    func signInReport(_ proof: ProviderCredential) async throws(PhotolalaError) -> SignInReport
    func signUp(_ identity: SignInCredential, fullName: String?) async throws(PhotolalaError) -> User
    func reauthenticate(_ proof: ProviderCredential) async throws(PhotolalaError)
    func reauthenticate(
        in browser: any AuthorizationBrowser, as client: BrowserClient, provider: ProviderName?
    ) async throws(PhotolalaError)
    func signOut() async throws(PhotolalaError)
    func signOutEverywhere() async throws(PhotolalaError)

    func linkedAccounts() async throws(PhotolalaError) -> [LinkedProvider]
    func link(_ identity: SignInCredential) async throws(PhotolalaError) -> [LinkedProvider]
    func unlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider]
    func undoUnlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider]

    func deviceList() async throws(PhotolalaError) -> Devices
    func removeDevice(_ device: DeviceID) async throws(PhotolalaError)

    func user() async throws(PhotolalaError) -> User
    func usage() async throws(PhotolalaError) -> Usage
    func present(_ purchase: SignedPurchase) async throws(PhotolalaError) -> Subscription
    func move(_ purchase: SignedPurchase) async throws(PhotolalaError) -> Subscription
    func moveTicket(originalTransactionID: String) async throws(PhotolalaError) -> MoveTicketResponse
    func moveSubscription(ticket: String) async throws(PhotolalaError) -> Subscription

    func deletionOverview() async throws(PhotolalaError) -> DeletionOverview
    func deleteAccount(confirmation: String) async throws(PhotolalaError) -> DeletionOverview
    func cancelDeletion() async throws(PhotolalaError) -> DeletionOverview
    func removeLocalData() async throws(PhotolalaError)
    func undoDeletion(code: String) async throws(PhotolalaError)
    func deletionStatus(receiptCode: String) async throws(PhotolalaError) -> DeletionStatus
}

extension PhotolalaSession: AccountService {
    nonisolated func account(of user: UserID) -> any AccountService { limited(to: user) }
}
