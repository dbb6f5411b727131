import Accounts
import Foundation
import ObjectStorage
import Operators
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Two accounts: Bob's identity at Google is to move from the one to the other.
struct MoveFixture: Sendable {
    let memory: MemoryObjectStore
    let clock: TestClock
    let service: TestService
    let receiver = RecordingEventReceiver()
    /// The operators' keys.
    let (alice, bertha): (OperatorKey, OperatorKey)
    /// A session that the moving identity opened.
    let moving: SignedIn
    /// A session of the account that gets it.
    let target: SignedIn

    var source: UserID { moving.user.serviceUserID }
    var user: UserID { target.user.serviceUserID }
    var accounts: AccountDirectory { service.components.accounts }
    var moves: IdentityMoves { service.services.operators.moves }

    static let subject = "bob-google"
    static let email = "bob@gmail.com"
    static let day: TimeInterval = 86_400

    /// - Parameter isOnly: whether the moving identity is the only one of its account.
    init(isOnly: Bool = false) async throws {
        let clock = TestClock()
        self.clock = clock
        memory = MemoryObjectStore { clock.now }
        service = try await Self.instance(1, memory, clock, receiver)
        let keys = service.services.operators.calls.keys
        alice = try await keys.create(name: "alice", role: .support, endsAt: nil).key
        bertha = try await keys.create(name: "bertha", role: .support, endsAt: nil).key
        moving = try await service.signUp(.google, Self.subject, email: Self.email, device: 1)
        if !isOnly { _ = try await service.link(.facebook, "bob-facebook", in: moving.session) }
        target = try await service.signUp(.apple, "bob-apple", device: 3)
        clock.advance(by: 2 * Self.day)
    }

    /// Another instance of the service on a store.
    static func instance(
        _ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock, _ receiver: RecordingEventReceiver? = nil
    ) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.unlinkDelay = day
        options.eventReceiver = receiver
        return try await .make(options, store: store, clock: clock)
    }

    static func reason(_ text: String = "Ticket 4711") throws -> OperatorReason { try #require(OperatorReason(text)) }

    /// Requests the move as Alice, without a proof.
    @discardableResult
    func request(to user: UserID? = nil, on service: TestService? = nil) async throws -> RequestedMove {
        try await (service ?? self.service).services.operators.moves.request(
            .google, Self.subject, to: user ?? self.user, by: alice, reason: try Self.reason())
    }

    /// Completes the move, as Bertha by default.
    @discardableResult
    func complete(
        _ requested: RequestedMove, by key: OperatorKey? = nil, to user: UserID? = nil,
        on service: TestService? = nil
    ) async throws -> UserID {
        try await (service ?? self.service).services.operators.moves.complete(
            try #require(UUID(uuidString: requested.move)), to: user ?? self.user, by: key ?? bertha,
            reason: try Self.reason("Ticket 4712"))
    }

    /// Cancels the move as Bertha.
    func cancel() async throws {
        try await moves.cancel(to: user, by: bertha, reason: try Self.reason("Ticket 9"))
    }

    /// Requests the move as Alice, with an ID token of the moving identity and one of another.
    /// - Parameters:
    ///   - nonce: that of both tokens; the challenge by default.
    ///   - challenge: a challenge for the move by default.
    func prove(
        _ provider: ProviderName, _ subject: String, nonce: String? = nil, challenge: String? = nil
    ) async throws -> RequestedMove {
        let proofs = service.services.operators.moveProofs
        let challenge = try challenge ?? proofs.makeChallenge(to: user).challenge
        let moving = try service.token(.google, Self.subject, nonce: nonce ?? challenge)
        let own = try service.token(provider, subject, nonce: nonce ?? challenge)
        let proven = try await proofs.verify(
            MoveProofs.Token(provider: .google, idToken: moving),
            and: MoveProofs.Token(provider: provider, idToken: own), challenge: challenge, to: user)
        return try await moves.request(
            proven.provider, proven.subject, to: user, proof: proven.proof, by: alice, reason: try Self.reason())
    }

    /// Returns the account of the moving identity; `nil` if it is free.
    func owner() async throws -> UserID? { try await service.owner(.google, Self.subject) }

    /// Returns the document of an account in a copy of the store.
    func account(_ user: UserID, in store: MemoryObjectStore) async throws -> AccountDocument? {
        try await Self.instance(9, store, clock).components.accounts.account(user)?.value
    }

    /// Returns the last audit entries of an account, oldest first.
    func entries(of user: UserID, _ count: Int) async throws -> [AuditEntry] {
        let account = try #require(try await accounts.account(user))
        return try await accounts.history(of: account.value, before: nil, limit: count).reversed()
    }
}
