import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// One act, and the conditions that must hold afterwards whatever fault the store had.
struct FaultScenario: Sendable, CustomStringConvertible {
    let description: String
    /// The error that the act is expected to cause, if any.
    var refusal: ServiceError?
    /// The audit events that the act adds, once each.
    var notes: Set<AuditAction> = []
    /// The audit event that disappears with an account that was never used.
    var clears: AuditAction?
    /// Whether the store has lost all identity bindings before the act.
    var isAfterLoss = false
    /// The delay before the first identity is unlinked, in seconds.
    var unlinkDelay: Double = 0
    /// Prepares the state before the act.
    let prepare: @Sendable (TestService) async throws -> Before
    /// The act, on the faulty store.
    let act: @Sendable (TestService, Before) async throws -> Outcome
    /// Checks the result on the intact store and performs the person's next action.
    let check: @Sendable (TestService, Before, Outcome?) async throws -> Void

    /// The people before the act.
    struct Before: Sendable {
        /// The person who acts.
        let person: SignedIn
        /// Another person, or the same person on another device.
        let other: SignedIn?

        init(_ person: SignedIn, other: SignedIn? = nil) {
            self.person = person
            self.other = other
        }

        var session: Session { person.session }
        var user: UserID { person.user.serviceUserID }
    }

    /// The outcome of the act.
    enum Outcome: Sendable {
        case done
        case session(Session)
        case signedIn(SignedIn)
    }
}

extension TestService {
    /// Signs Bob up with Apple and links Google to his account.
    func bobWithTwo() async throws -> SignedIn {
        let bob = try await signUp(.apple, "bob", name: "Bob")
        _ = try await link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        return bob
    }

    /// Expects that an identity opens the given account, or no account for `nil`.
    func expect(_ provider: ProviderName, _ subject: String, opens user: UserID?) async throws {
        let owner = try await owner(provider, subject)
        #expect(owner == user)
    }

    /// Expects that a session is active and belongs to the given user.
    func expect(_ session: Session, isOf user: UserID?) async throws {
        let caller = try await caller(session)
        #expect(caller.user == user)
    }

    /// Signs a person in or up.
    func continueSignIn(_ provider: ProviderName, _ subject: String, device: Int = 1) async throws -> SignedIn {
        let device = Self.device(device)
        let proof = try idTokenRequest(provider, subject, .continue, device: device.id)
        return try await services.signUp.continueSignIn(
            SignUpRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge, device: device)
        )
    }

    /// Returns the account's session epoch, and those of the sessions on its devices.
    func sessionEpochs(of user: UserID) async throws -> (account: Int?, devices: [DeviceID: Int]) {
        let account = try await components.accounts.account(user)
        let records = try await components.sessions.devices.devices(of: user)
        let epochs = records.compactMap { record in record.session.map { (record.id, $0.epoch) } }
        return (account?.value.sessionEpoch, Dictionary(uniqueKeysWithValues: epochs))
    }
}

extension ServiceError {
    /// Returns the error of an act; `nil` is success.
    static func caught(_ act: () async throws -> Void) async -> ServiceError? {
        do {
            try await act()
            return nil
        } catch {
            return error as? ServiceError ?? .internal("\(error)")
        }
    }
}
