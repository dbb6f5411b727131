import Accounts
import Foundation
import ObjectStorage
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
    /// A session that the moving identity opened.
    let moving: SignedIn
    /// A session of the account that it leaves, opened by the other identity; `nil` if there is none.
    let staying: SignedIn?
    /// A session of the account that gets it.
    let target: SignedIn

    var source: UserID { moving.user.serviceUserID }
    var user: UserID { target.user.serviceUserID }
    var accounts: AccountDirectory { service.components.accounts }
    var moves: IdentityMoves { service.services.operators.moves }

    static let subject = "bob-google"
    static let email = "bob@gmail.com"
    static let first = MovingOperator(keyID: "00000000000000a1", name: "alice")
    static let second = MovingOperator(keyID: "00000000000000b2", name: "bertha")
    static let identity = IdentityMoves.Identity.subject(.google, subject)
    static let day: TimeInterval = 86_400

    /// - Parameter isOnly: whether the moving identity is the only one of its account.
    init(isOnly: Bool = false) async throws {
        let clock = TestClock()
        self.clock = clock
        memory = MemoryObjectStore { clock.now }
        service = try await Self.instance(1, memory, clock, receiver)
        moving = try await service.signUp(.google, Self.subject, email: Self.email, device: 1)
        if isOnly {
            staying = nil
        } else {
            _ = try await service.link(.facebook, "bob-facebook", in: moving.session)
            staying = try await service.signIn(.facebook, "bob-facebook", device: 2)
        }
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

    /// Requests the move, without a proof.
    @discardableResult
    func request() async throws -> IdentityMoves.Requested {
        try await moves.request(Self.identity, to: user, proof: nil, by: Self.first, reason: try Self.reason())
    }

    /// Completes the move as another operator.
    @discardableResult
    func complete(by key: MovingOperator = Self.second) async throws -> UserID {
        try await moves.complete(to: user, by: key, reason: try Self.reason("Ticket 4712"))
    }

    /// Returns the last audit entries of an account, oldest first.
    func entries(of user: UserID, _ count: Int) async throws -> [AuditEntry] {
        let account = try #require(try await accounts.account(user))
        return try await accounts.history(of: account.value, before: nil, limit: count).reversed()
    }
}
