import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import PhotolalaTesting
import Secrets
import Testing
import Transport

/// The operator's re-keying through the shipped program, beside two running servers in use.
@Suite struct MigrationJourneyTests {
    @Test("a store is re-keyed to hashed subjects while in use, and the reverse re-keying can be undone")
    func thereAndNotBack() async throws {
        try await withTemporaryFolder { data, transport in
            let first = try await ServerProcess(data: data, transport: transport)
            let second = try await ServerProcess(data: data, transport: transport, publicURL: first.address)
            let people = People(servers: [first.address, second.address], transport: transport)
            try await people.comeAndGo()
            let dry = try OperatorCommand.run("migrate", "--subjects", "hashed", data: data)
            #expect(dry.status == 0 && dry.output.contains("nothing was changed"), "\(dry.output)")
            #expect(try await Self.names(data).count { $0.contains("~") } == 0)

            let applied = try await people.run(["--subjects", "hashed", "--apply"], data)
            #expect(applied.status == 0 && applied.output.contains("old and new keys are valid"), "\(applied.output)")
            try await people.comeAndGo()
            let between = try OperatorCommand.run("migrate", "--json", data: data)
            #expect(between.output.contains("\"phase\":\"both\""), "\(between.output)")
            #expect(try await Self.names(data).count { $0.contains("~") } == people.count)
            #expect(try await Self.names(data).count == 2 * people.count)

            let confirmed = try await people.run(["--confirm"], data)
            #expect(confirmed.status == 0, "\(confirmed.output)")
            let hashed = try await Self.names(data)
            #expect(hashed.count == people.count && hashed.allSatisfy { $0.contains("~") })
            try await people.comeAndGo()

            let back = try await people.run(["--subjects", "plain", "--apply"], data)
            #expect(back.status == 0, "\(back.output)")
            let undone = try await people.run(["--undo"], data)
            #expect(undone.status == 0, "\(undone.output)")
            try await people.comeAndGo()
            let after = try await Self.names(data)
            #expect(after.count == people.count && after.allSatisfy { $0.contains("~") })
            #expect(try OperatorCommand.run("repair", data: data).output.contains("no findings"))
            #expect(try OperatorCommand.run("migrate", "--undo", data: data).status == 69)
            #expect(first.stop() == 0)
            #expect(second.stop() == 0)
        }
    }

    /// Returns the keys of all identity bindings.
    private static func names(_ data: URL) async throws -> [String] {
        let store = try await DirectoryObjectStore.open(
            at: data, now: { Date() }, randomness: .system, logger: Logger(label: "test")
        )
        let objects = try await store.list(prefix: "identities/", after: nil, limit: 1000).objects
        try await store.close()
        return objects.map(\.key.description)
    }
}

/// People who sign up one after the other and then sign in again, through either server.
private final class People {
    private let servers: [String]
    private let transport: AsyncHTTPTransport
    private var known: [(person: Person, user: String)] = []
    var count: Int { known.count }

    init(servers: [String], transport: AsyncHTTPTransport) {
        self.servers = servers
        self.transport = transport
    }

    /// Signs up a new person and signs in a known one, each on a different server than before.
    func comeAndGo() async throws {
        let server = servers[count % servers.count]
        let person = Person(count + 1, transport: transport)
        guard let new = try await person.signUp(at: server, token: try await person.token(at: servers[0])) else {
            throw ConformanceFailure("\(person.subject) cannot sign up")
        }
        known.append((person, new.user.serviceUserID.description))
        let (old, user) = known[count * 7 % count]
        let again = try await old.signIn(at: servers[(count + 1) % servers.count])
        #expect(again.user.serviceUserID.description == user)
    }

    /// Performs a step of the re-keying while people sign up and in.
    func run(_ arguments: [String], _ data: URL) async throws -> OperatorCommand {
        let result = try await OperatorCommand.run("migrate", arguments, data: data, upTo: 24) { try await comeAndGo() }
        for (person, user) in known {
            let again = try await person.signIn(at: servers[1])
            #expect(again.user.serviceUserID.description == user)
        }
        return result
    }
}
