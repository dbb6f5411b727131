import AccountMaintenance
import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import UseCases

/// An act of a simulated actor on Bob (Apple and Google, one device each) or Eve (Apple).
enum SimulatedOperation: String, CaseIterable, Sendable {
    case signInApple, signInGoogle, signUpGoogle, signUpNew, continueGoogle, linkGoogle, eveLinksGoogle, unlinkGoogle,
        unlinkApple, unlinkGoogleOnTablet, unlinkAndRelink
    case refresh, refreshTwice, signOut, signOutEverywhere, removeTablet, reauthenticate, profile, repair, settleDevices
    /// Apple reports that Bob's consent was revoked.
    case appleWithdraws
    /// All identity bindings are re-keyed to another key encoding; the second one is undone.
    case migrate, migrateAndUndo
    /// An operator triggers immediate delivery of Bob's and Eve's events.
    case deliverEvents
    /// All identity bindings are lost. Only in runs for this case.
    case loseClaims
    /// Sign-ins with Bob's new Apple id after a team transfer, and the operator's steps. Only in runs for this case.
    case signInMoved, signUpMoved, completeTransfer, confirmTransfer

    static let ofTransfer: [SimulatedOperation] = [.signInMoved, .signUpMoved, .completeTransfer, .confirmTransfer]
    static let ordinary = allCases.filter { $0 != .loseClaims && !ofTransfer.contains($0) }

    /// The people before the run, and their store.
    struct Fixture: Sendable {
        let store: MemoryObjectStore
        let phone: SignedIn
        let tablet: SignedIn
        let eve: SignedIn
        /// The number of occurrences of each audit event.
        let history: [AuditAction: Int]
        var bob: UserID { phone.user.serviceUserID }
    }

    /// - Parameter transferring: whether Bob's Apple id is prepared for a team transfer.
    static func prepare(transferring: Bool = false) async throws -> Fixture {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        var options = TestService.Options()
        options.eventReceiver = RecordingEventReceiver()
        let service = try await TestService.make(options, store: store, clock: clock)
        let phone = try await service.bobWithTwo()
        let tablet = try await service.signIn(.google, "bob", device: 2)
        if transferring { _ = try await service.transfer(.prepare(team: "NEWTEAM123")) }
        let eve = try await service.signUp(.apple, "eve", device: 9)
        return Fixture(
            store: store, phone: phone, tablet: tablet, eve: eve,
            history: try await StoreRules(service: service).check()
        )
    }

    /// Performs the act on an instance of the service.
    /// - Parameter give: receives each session as soon as it exists, whatever fails afterwards.
    func run(
        _ service: TestService, _ fixture: Fixture, device: Int, give: (Session) -> Void = { _ in }
    ) async throws {
        let phone = fixture.phone.session
        switch self {
        case .signInApple: give(try await service.signIn(.apple, "bob", device: device).session)
        case .signInGoogle: give(try await service.signIn(.google, "bob", device: device).session)
        case .signUpGoogle: give(try await service.signUp(.google, "bob", device: device).session)
        case .signUpNew: give(try await service.signUp(.google, "new", name: "New", device: device).session)
        case .continueGoogle: give(try await service.continueSignIn(.google, "bob", device: device).session)
        case .refresh: give(try await Self.refresh(phone, service))
        case .refreshTwice:
            let next = try await Self.refresh(phone, service)
            give(next)
            give(try await Self.refresh(next, service))
        case .signInMoved: give(try await service.signIn(.apple, "moved-bob", device: device).session)
        case .signUpMoved: give(try await service.signUp(.apple, "moved-bob", device: device).session)
        case .reauthenticate: give(try await service.reauthenticate(.apple, "bob", in: phone))
        default: try await change(service, fixture, device: device)
        }
    }

    /// Performs the acts that return no session.
    private func change(_ service: TestService, _ fixture: Fixture, device: Int) async throws {
        let phone = fixture.phone.session
        switch self {
        case .linkGoogle: _ = try await service.link(.google, "bob", in: phone, email: "bob@gmail.com")
        case .eveLinksGoogle: _ = try await service.link(.google, "bob", in: fixture.eve.session)
        case .unlinkGoogle: try await service.unlink(.google, in: phone)
        case .unlinkApple: try await service.unlink(.apple, in: phone)
        case .unlinkGoogleOnTablet: try await service.unlink(.google, in: fixture.tablet.session)
        case .unlinkAndRelink:
            try await service.unlink(.google, in: phone)
            _ = try await service.link(.google, "bob", in: phone)
        case .signOut: try await service.services.sessions.signOut(accessToken: phone.accessToken)
        case .signOutEverywhere: try await service.services.sessions.signOutEverywhere(try await service.caller(phone))
        case .removeTablet:
            try await service.services.devices.removeDevice(
                fixture.tablet.session.deviceID, caller: try await service.caller(phone)
            )
        case .profile:
            _ = try await service.services.account.replaceProfile(
                fixture.bob, with: Profile(displayName: "Robert \(device)"), if: .any,
                caller: try await service.caller(phone)
            )
        case .repair: try await service.repair()
        case .appleWithdraws:
            let event = ProviderEvent(.consentRevoked, subject: "bob", at: service.clock.now)
            try await service.services.providerEvents.apply(event, of: .apple)
        case .migrate: try await service.rekey { (migration) throws(RekeyingError) in try await migration.confirm() }
        case .migrateAndUndo:
            try await service.rekey { (migration) throws(RekeyingError) in try await migration.undo() }
        case .deliverEvents:
            for user in [fixture.bob, fixture.eve.user.serviceUserID] {
                // A failure is ignored: then nothing is sent, and this act has no effect.
                try? await service.components.accounts.outbox?.makeDue(user)
            }
            try await service.services.eventDelivery.deliverEvents()
        case .completeTransfer: _ = try await service.transfer(.complete)
        case .confirmTransfer: _ = try await service.transfer(.confirm)
        case .settleDevices: try await service.services.deviceCleanup.cleanUpDevices()
        // Errors are ignored: a partial loss is a valid case too.
        case .loseClaims: try? await service.removeBindings()
        default: break
        }
    }

    static func refresh(_ session: Session, _ service: TestService) async throws -> Session {
        try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken)).session
    }

    /// The audit events that it may add, each at most once.
    var mayNote: Set<AuditAction> {
        switch self {
        case .continueGoogle: [.signedIn, .accountCreated]
        case .linkGoogle, .eveLinksGoogle: [.providerLinked]
        case .unlinkAndRelink: [.providerUnlinked, .providerLinked]
        case .appleWithdraws: [.providerRevoked]
        case .signInMoved: [.signedIn, .providerLinked]
        case .signUpMoved: [.accountCreated, .providerLinked]
        case .completeTransfer: [.providerLinked]
        case .confirmTransfer: [.providerTransferred, .providerUnlinked]
        default: notes.map { [$0] } ?? []
        }
    }

    /// The audit event that it adds when it is acknowledged. Linking a linked identity adds none.
    var notes: AuditAction? {
        switch self {
        case .signInApple, .signInGoogle, .signInMoved: .signedIn
        case .signUpGoogle, .signUpNew, .signUpMoved: .accountCreated
        case .unlinkGoogle, .unlinkApple, .unlinkGoogleOnTablet, .unlinkAndRelink: .providerUnlinked
        case .signOut: .signedOut
        case .signOutEverywhere: .signedOutEverywhere
        case .removeTablet: .deviceRemoved
        case .reauthenticate: .reauthenticated
        default: nil
        }
    }

    /// Whether performing it twice adds two events; for other acts the second may find the work done.
    var notesEach: Bool { notes == .signedIn || notes == .reauthenticated || notes == .accountCreated }
}
