import Accounts
import Flows
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting

/// An act that a simulated actor may do, on Bob (Apple and Google, a device for each) and Eve (Apple).
enum SimulatedAct: String, CaseIterable, Sendable {
    case signInApple, signInGoogle, signUpGoogle, linkGoogle, eveLinksGoogle, unlinkGoogle, unlinkApple,
        unlinkGoogleOnTablet
    case refresh, refreshAgain, signOut, signOutEverywhere, removeTablet, reauthenticate, profile, repair, settleDevices

    /// People as they are before, and the store they are in.
    struct World: Sendable {
        let store: MemoryObjectStore
        let phone: SignedIn
        let tablet: SignedIn
        let eve: SignedIn
        /// How often each act is in the histories.
        let history: [AuditAct: Int]
        var bob: UserID { phone.user.serviceUserID }
    }

    static func prepare() async throws -> World {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let service = try await TestService.make(store: store, clock: clock)
        let phone = try await service.bobWithTwo()
        let tablet = try await service.signIn(.google, "bob", device: 2)
        let eve = try await service.signUp(.apple, "eve", device: 9)
        return World(
            store: store, phone: phone, tablet: tablet, eve: eve,
            history: try await HistoryRules(service: service).counts()
        )
    }

    /// Does it on a copy of the service.
    func run(_ service: TestService, _ world: World, device: Int) async throws {
        let phone = world.phone.session
        switch self {
        case .signInApple: _ = try await service.signIn(.apple, "bob", device: device)
        case .signInGoogle: _ = try await service.signIn(.google, "bob", device: device)
        case .signUpGoogle: _ = try await service.signUp(.google, "bob", device: device)
        case .linkGoogle: _ = try await service.link(.google, "bob", in: phone)
        case .eveLinksGoogle: _ = try await service.link(.google, "bob", in: world.eve.session)
        case .unlinkGoogle: try await service.unlink(.google, in: phone)
        case .unlinkApple: try await service.unlink(.apple, in: phone)
        case .unlinkGoogleOnTablet: try await service.unlink(.google, in: world.tablet.session)
        case .refresh, .refreshAgain:
            _ = try await service.services.refresh(RefreshRequest(refreshToken: phone.refreshToken))
        case .signOut: try await service.services.signOut(accessToken: phone.accessToken)
        case .signOutEverywhere: try await service.services.signOutEverywhere(try await service.caller(phone))
        case .removeTablet:
            try await service.services.removeDevice(
                world.tablet.session.deviceID, caller: try await service.caller(phone)
            )
        case .reauthenticate: _ = try await service.reauthenticate(.apple, "bob", in: phone)
        case .profile:
            _ = try await service.services.replaceProfile(
                world.bob, with: Profile(displayName: "Robert \(device)"), if: .any,
                caller: try await service.caller(phone)
            )
        case .settleDevices: try await service.services.settleDevices()
        case .repair:
            do {
                _ = try await Repair(service.services.accounts, isDry: false) { _ in }.run()
            } catch .store {
                throw FlowError.unavailable("the store")
            }
        }
    }

    /// What it adds to the histories where it is acknowledged.
    var notes: AuditAct? {
        switch self {
        case .signInApple, .signInGoogle: .signedIn
        case .signUpGoogle: .accountCreated
        case .linkGoogle, .eveLinksGoogle: .providerLinked
        case .unlinkGoogle, .unlinkApple, .unlinkGoogleOnTablet: .providerUnlinked
        case .signOut: .signedOut
        case .signOutEverywhere: .signedOutEverywhere
        case .removeTablet: .deviceRemoved
        case .reauthenticate: .reauthenticated
        case .refresh, .refreshAgain, .profile, .repair, .settleDevices: nil
        }
    }

    /// Whether doing it twice is two acts; of the others the second may find it done.
    var notesEach: Bool { notes == .signedIn || notes == .reauthenticated }
}
