import DirectoryStorage
import Foundation
import Logging
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Secrets
import Testing

/// The operator's repair through the shipped program, beside a running server.
@Suite struct RepairJourneyTests {
    @Test("repair finds a lost identity in a dry run, restores it with --apply, and then reports no problems")
    func lostIdentity() async throws {
        try await withTemporaryFolder { data, transport in
            let server = try await ServerProcess(data: data, transport: transport)
            let person = Person(1, transport: transport)
            _ = try await person.signUp(at: server.address, token: try await person.token(at: server.address))
            #expect(try OperatorCommand.run("repair", data: data).status == 0)
            try await Self.change(data) { try await Self.removeBindings($0) }
            let young = try OperatorCommand.run("repair", data: data)
            #expect(young.status == 0 && young.output.contains("no findings"), "\(young.output)")
            try await Self.change(data) { try await Self.makeAged($0) }
            let dry = try OperatorCommand.run("repair", "--json", data: data)
            #expect(dry.status == 1 && dry.output.contains("\"kind\":\"claim.missing\""), "\(dry.output)")
            let applied = try OperatorCommand.run("repair", "--apply", data: data)
            #expect(applied.status == 0 && applied.output.contains("resolved  claim.missing"), "\(applied.output)")
            #expect(try OperatorCommand.run("repair", data: data).output.contains("no findings"))
            #expect(server.stop() == 0)
        }
    }

    @Test("repair creates no store where none exists")
    func noStore() async throws {
        try await withTemporaryFolder { data in
            let misspelt = data.appendingPathComponent("misspelt")
            let run = try OperatorCommand.run("repair", data: misspelt)
            #expect(run.status == 69)
            #expect(!FileManager.default.fileExists(atPath: misspelt.path))
        }
    }

    /// Changes the store as a fault could.
    private static func change(_ data: URL, _ act: (DirectoryObjectStore) async throws -> Void) async throws {
        let store = try await DirectoryObjectStore.open(
            at: data, now: { Date() }, randomness: .system, logger: Logger(label: "test")
        )
        try await act(store)
        try await store.close()
    }

    private static func removeBindings(_ store: DirectoryObjectStore) async throws {
        for object in try await store.list(prefix: "identities/", after: nil, limit: 100).objects {
            try await store.delete(object.key, if: .always)
        }
    }

    /// Moves the dates in the accounts back by a year, because repair ignores recent ones.
    private static func makeAged(_ store: DirectoryObjectStore) async throws {
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        for object in try await store.list(prefix: "accounts/", after: nil, limit: 100).objects {
            guard object.key.description.hasSuffix("/account.json") else { continue }
            let stored = try #require(try await store.get(object.key))
            let text = String(buffer: stored.bytes).replacing("At\":\"\(year)-", with: "At\":\"\(year - 1)-")
            try await store.put(object.key, ByteBuffer(string: text), if: .always)
        }
    }
}
