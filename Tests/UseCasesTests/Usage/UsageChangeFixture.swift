import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A store like a bucket with two instances of the service, of which the first runs the counting job once a day.
struct UsageChangeFixture: Sendable {
    static let day: TimeInterval = 86_400

    let clock: TestClock
    let memory: MemoryObjectStore
    /// Issues credentials.
    let service: TestService
    let bob: SignedIn

    var user: UserID { bob.user.serviceUserID }

    init() async throws {
        let clock = TestClock()
        (self.clock, memory) = (clock, MemoryObjectStore { clock.now })
        service = try await Self.makeService(memory, clock)
        bob = try await service.signUp(.apple, "bob")
    }

    /// Starts an instance on the store.
    func makeService(_ store: any ObjectStore) async throws -> TestService { try await Self.makeService(store, clock) }

    private static func makeService(_ store: any ObjectStore, _ clock: TestClock) async throws -> TestService {
        var options = TestService.Options()
        options.credentialIssuer = GrantRecorder()
        return try await TestService.make(options, store: store, clock: clock)
    }

    /// Returns the fixture after the days in which every run counts all accounts.
    static func settled() async throws -> UsageChangeFixture {
        let fixture = try await UsageChangeFixture()
        for _ in 0..<5 { try await fixture.runNextDay() }
        return fixture
    }

    /// Issues credentials of the account, and returns their end.
    @discardableResult
    func issueCredentials(_ instance: TestService? = nil) async throws -> Date {
        let instance = instance ?? service
        let session = try await service.signIn(.apple, "bob").session
        return try await instance.services.storageAccess.issueCredentials(try await service.caller(session)).expiration
    }

    /// Stores a photo, as with credentials.
    func store(_ bytes: Int, _ name: String) async throws {
        let key = ObjectKey(known: "\(StorageLayout.photos(user))\(name)")
        _ = try await memory.put(key, ByteBuffer(repeating: 0x61, count: bytes), if: .always)
    }

    /// Runs the job a day later.
    @discardableResult
    func runNextDay(_ instance: TestService? = nil) async throws -> JobOutcome {
        clock.advance(by: Self.day + 1)
        return try await run(instance)
    }

    /// Runs the job now.
    @discardableResult
    func run(_ instance: TestService? = nil) async throws -> JobOutcome {
        try await (instance ?? service).services.maintenance.run(.usage, every: .seconds(Self.day))
    }

    /// The bytes of the last count, in the account and in its count.
    func counted() async throws -> (account: Int64, count: Int64) {
        let account = try await service.components.accounts.account(user)?.value.storedBytes ?? 0
        return (account, try await service.components.usage.last(of: user)?.bytes ?? 0)
    }

    /// The keys of the account's marks.
    func marks() async throws -> [String] {
        try await memory.list(prefix: StorageLayout.usageChanges(user), after: nil, limit: 1000).objects
            .map(\.key.description)
    }
}
