import Foundation
import PhotolalaClient

/// An account with example data, for previews: no network.
struct PreviewAccount: AccountService {
    var isSignedIn = true

    private static let date = Date(timeIntervalSince1970: 1_790_000_000)
    private static let owner = UserID(uuid: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    private static let unreachable = PhotolalaError(code: .serverUnreachable, detail: "Previews have no server.")
    private static let subscription = Subscription(tier: .free, storageLimit: Tier.free.storageLimit)
    private static let contents = UsageByKind(
        photos: StoredObjects(bytes: 4_600_000_000, objects: 1204),
        thumbnails: StoredObjects(bytes: 20_000_000, objects: 1204),
        previews: StoredObjects(bytes: 400_000_000, objects: 1100),
        catalogs: StoredObjects(bytes: 400_000, objects: 12), data: StoredObjects(bytes: 2000, objects: 1))

    private static func link(_ number: UInt8, _ provider: ProviderName) -> LinkedProvider {
        LinkedProvider(
            linkID: LinkID(uuid: UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), provider: provider,
            email: "bob@example.org", linkedAt: date, lastUsedAt: date, linkMethod: .userInitiated,
            isPrimary: number == 1, state: .active)
    }

    private static func device(_ number: UInt8, _ name: String) -> Device {
        Device(
            id: DeviceID(uuid: UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), name: name,
            model: nil,
            platform: "ios", createdAt: date, lastSeenAt: date, lastSyncAt: date, isBound: true,
            isCurrent: number == 1)
    }

    func account(of user: UserID) -> any AccountService { self }
    func signedInUserID() async throws(PhotolalaError) -> UserID? { isSignedIn ? Self.owner : nil }
    func forgetUnusable() async throws(PhotolalaError) -> [SecretStorageError] { [] }
    func pendingIdentity() async throws(PhotolalaError) -> PendingIdentity? { nil }
    func challenge(for purpose: ChallengePurpose) async throws(PhotolalaError) -> Challenge {
        Challenge(challenge: "challenge", expiresAt: Self.date)
    }

    /// Shows the help after the wrong provider.
    func signInReport(_ proof: ProviderCredential) async throws(PhotolalaError) -> SignInReport {
        throw PhotolalaError(
            code: .noAccountFound, detail: "No account found.",
            pendingIdentity: PendingIdentity(value: "pending", provider: proof.provider, expiresAt: nil),
            hints: [AccountHint(provider: .apple)])
    }

    func signUp(_ identity: SignInCredential, fullName: String?) async throws(PhotolalaError) -> User {
        try await user()
    }

    func reauthenticate(_ proof: ProviderCredential) async throws(PhotolalaError) {}
    func reauthenticate(
        in browser: any AuthorizationBrowser, as client: BrowserClient, provider: ProviderName?
    ) async throws(PhotolalaError) {}
    func signOut() async throws(PhotolalaError) {}
    func signOutEverywhere() async throws(PhotolalaError) {}

    func linkedAccounts() async throws(PhotolalaError) -> [LinkedProvider] {
        [Self.link(1, .apple), Self.link(2, .google)]
    }

    func link(_ identity: SignInCredential) async throws(PhotolalaError) -> [LinkedProvider] {
        throw Self.unreachable
    }

    func unlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider] { throw Self.unreachable }
    func undoUnlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider] { throw Self.unreachable }

    func deviceList() async throws(PhotolalaError) -> Devices {
        Devices(
            devices: [Self.device(1, "Bob’s iPhone"), Self.device(2, "Bob’s iPad")], storageAccessAfterRemoval: 900)
    }

    func removeDevice(_ device: DeviceID) async throws(PhotolalaError) {}

    func user() async throws(PhotolalaError) -> User {
        User(
            serviceUserID: Self.owner, primaryProvider: .apple, linkedProviders: [], createdAt: Self.date,
            subscription: Self.subscription)
    }

    func usage() async throws(PhotolalaError) -> Usage {
        Usage(
            storageUsed: 4_690_402_000, storageCountedAt: Self.date, storageLimit: Tier.free.storageLimit,
            access: .readWrite, byKind: Self.contents)
    }

    func present(_ purchase: SignedPurchase) async throws(PhotolalaError) -> Subscription { Self.subscription }
    func move(_ purchase: SignedPurchase) async throws(PhotolalaError) -> Subscription { Self.subscription }
    func moveSubscription(ticket: String) async throws(PhotolalaError) -> Subscription { Self.subscription }
    func moveTicket(originalTransactionID: String) async throws(PhotolalaError) -> MoveTicketResponse {
        MoveTicketResponse(moveTicket: "ticket", expiresAt: Self.date + 600)
    }

    func deletionOverview() async throws(PhotolalaError) -> DeletionOverview {
        DeletionOverview(
            deletion: nil, undoDays: 14, contents: Self.contents, countedAt: Self.date, subscriptions: [])
    }

    func deleteAccount(confirmation: String) async throws(PhotolalaError) -> DeletionOverview {
        DeletionOverview(
            deletion: AccountDeletion(requestedAt: Self.date, erasesAt: Self.date + 14 * 86_400), undoDays: 14,
            contents: Self.contents, countedAt: Self.date, subscriptions: [], receiptCode: "receipt", undoCode: "undo")
    }

    func cancelDeletion() async throws(PhotolalaError) -> DeletionOverview { try await deletionOverview() }
    func removeLocalData() async throws(PhotolalaError) {}
    func undoDeletion(code: String) async throws(PhotolalaError) {}
    func deletionStatus(receiptCode: String) async throws(PhotolalaError) -> DeletionStatus {
        DeletionStatus(state: .scheduled, erasesAt: Self.date + 14 * 86_400)
    }
}
