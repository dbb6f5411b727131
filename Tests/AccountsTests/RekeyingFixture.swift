import AccountMaintenance
import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Re-keying from one key encoding to another.
enum RekeyingScenario: CaseIterable, CustomStringConvertible {
    case plainToHashed, hashedToPlain, hashedToNewKey, plainToNewKey

    var from: KeyEncoding.Mode { self == .plainToHashed || self == .plainToNewKey ? .plain : .hashed }
    var to: KeyEncoding.Mode { self == .hashedToPlain || self == .plainToNewKey ? .plain : .hashed }
    var hasNewKey: Bool { self == .hashedToNewKey || self == .plainToNewKey }
    /// How many of the eight links get another key: long subjects are hashed under a master key in any encoding.
    var rekeyedLinks: Int { self == .hashedToNewKey ? 8 : 4 }
    var description: String { "\(from) to \(to)\(hasNewKey ? " under a new key" : "")" }
}

/// A store with users, and an instance that has the keys for re-keying.
struct RekeyingFixture {
    /// Subjects that are hard to encode: long ones are hashed in every store.
    static let subjects = [
        "001234.5678abcd.9012", String(repeating: "/", count: 255), String(repeating: "é", count: 120), "a b\u{1}~/=41",
    ]

    let move: RekeyingScenario
    let clock: TestClock
    let store: MemoryObjectStore
    let service: TestService
    private(set) var users: [String: UserID] = [:]

    init(_ move: RekeyingScenario) async throws {
        let clock = TestClock()
        self.move = move
        self.clock = clock
        store = MemoryObjectStore { clock.now }
        var options = TestService.Options()
        options.subjects = move.from
        let first = try await TestService.make(options, store: store, clock: clock)
        for (number, subject) in Self.subjects.enumerated() {
            let person = try await first.signUp(
                .google, subject, email: number == 0 ? "bob@gmail.com" : nil, device: number + 1
            )
            _ = try await first.link(.apple, subject, in: person.session)
            users[subject] = person.user.serviceUserID
        }
        // Past the grace period, so that no operation counts as in progress.
        clock.advance(by: 7200)
        service = try await Self.makeInstance(move, store, clock, seed: 2)
    }

    private static func makeInstance(
        _ move: RekeyingScenario, _ store: any ObjectStore, _ clock: TestClock, seed: UInt64, isRetired: Bool = false
    ) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.hasNewMasterKey = move.hasNewKey
        options.hasRetiredMasterKey = isRetired
        return try await .make(options, store: store, clock: clock)
    }

    /// Starts another instance.
    /// - Parameter isRetired: whether to remove the earlier key, and with it the signing keys sealed under it.
    func makeInstance(seed: UInt64, isRetired: Bool = false) async throws -> TestService {
        if isRetired { try await store.delete(ObjectKey(known: StorageLayout.signingKeys), if: .always) }
        return try await Self.makeInstance(move, store, clock, seed: seed, isRetired: isRetired)
    }

    /// Expects that every user can sign in with both identities.
    func expectAllSignIn(_ service: TestService? = nil) async throws {
        for (subject, user) in users {
            for provider in [ProviderName.google, .apple] {
                let owner = try await (service ?? self.service).owner(provider, subject)
                #expect(owner == user, "\(move)")
            }
        }
    }

    /// Returns every binding with its content.
    func bindings() async throws -> [String: String] {
        var found: [String: String] = [:]
        for object in try await store.list(prefix: StorageLayout.identities, after: nil, limit: 1000).objects
        where !object.key.description.hasPrefix(StorageLayout.emailHint("")) {
            let claim = try #require(try await store.get(object.key))
            found[object.key.description] = String(buffer: claim.bytes)
        }
        return found
    }

    /// Returns the findings of a repair.
    func findings() async throws -> [RepairFinding] {
        let found = Mutex<[RepairFinding]>([])
        _ = try await Repair(service.components.accounts, isDryRun: true) { finding in
            found.withLock { $0.append(finding) }
        }.run()
        return found.withLock { $0 }
    }

    /// Runs re-keying and returns its findings and error.
    func collectFindings(
        _ act: (IdentityRekeying) async throws -> Void
    ) async throws -> (kinds: Set<RepairFinding.Kind>, error: RekeyingError?) {
        let found = Mutex<Set<RepairFinding.Kind>>([])
        let migration = service.rekeying { finding in found.withLock { _ = $0.insert(finding.kind) } }
        do {
            try await act(migration)
        } catch let error as RekeyingError {
            return (found.withLock { $0 }, error)
        }
        return (found.withLock { $0 }, nil)
    }
}
