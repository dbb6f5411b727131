import Flows
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// One act, and what must be true afterwards whatever the store did to it.
struct FaultScenario: Sendable, CustomStringConvertible {
    let description: String
    /// The refusal that the act is about, where it is about one.
    var refusal: FlowError?
    /// What the act adds to the histories, once each.
    var notes: Set<AuditAct> = []
    /// What it takes away with an account that nobody ever had.
    var clears: AuditAct?
    /// It comes upon a store that has lost all claims.
    var isAfterLoss = false
    /// How long unlinking the first identity waits, in seconds.
    var unlinkDelay: Double = 0
    /// What the act comes upon.
    let prepare: @Sendable (TestService) async throws -> Before
    /// The act, on the store that goes wrong.
    let act: @Sendable (TestService, Before) async throws -> Outcome
    /// Looks at what is left, on the store as it is, and does what the person would do next.
    let check: @Sendable (TestService, Before, Outcome?) async throws -> Void

    /// People as they are before the act.
    struct Before: Sendable {
        /// Who acts.
        let person: SignedIn
        /// Somebody else, or the same person on another device.
        let other: SignedIn?

        init(_ person: SignedIn, other: SignedIn? = nil) {
            self.person = person
            self.other = other
        }

        var session: Session { person.session }
        var user: UserID { person.user.serviceUserID }
    }

    /// What the act answered.
    enum Outcome: Sendable {
        case done
        case session(Session)
        case signedIn(SignedIn)
    }
}

extension TestService {
    /// Signs Bob up with Apple and links Google to him.
    func bobWithTwo() async throws -> SignedIn {
        let bob = try await signUp(.apple, "bob", name: "Bob")
        _ = try await link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        return bob
    }

    /// Expects that an identity opens an account, or none.
    func expect(_ provider: ProviderName, _ subject: String, opens user: UserID?) async throws {
        let owner = try await owner(provider, subject)
        #expect(owner == user)
    }

    /// Expects that a session stands and whose it is.
    func expect(_ session: Session, isOf user: UserID?) async throws {
        let caller = try await caller(session)
        #expect(caller.user == user)
    }

    /// Signs somebody in or up.
    func continueSignIn(_ provider: ProviderName, _ subject: String, device: Int = 1) async throws -> SignedIn {
        let device = Self.device(device)
        let proof = try proof(provider, subject, .continue, device: device.id)
        return try await services.continueSignIn(
            SignUpRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge, device: device)
        )
    }

    /// The account's session epoch, and those of the sessions on its devices.
    func sessionEpochs(of user: UserID) async throws -> (account: Int?, devices: [DeviceID: Int]) {
        let account = try await services.accounts.account(user)
        let records = try await services.sessions.devices.devices(of: user)
        let epochs = records.compactMap { record in record.session.map { (record.id, $0.epoch) } }
        return (account?.value.sessionEpoch, Dictionary(uniqueKeysWithValues: epochs))
    }
}

extension FlowError {
    /// What somebody is told of an act; `nil` is success.
    static func told(_ act: () async throws -> Void) async -> FlowError? {
        do {
            try await act()
            return nil
        } catch {
            return error as? FlowError ?? .internal("\(error)")
        }
    }
}
