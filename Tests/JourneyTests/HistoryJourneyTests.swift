import DirectoryStorage
import Foundation
import Logging
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Testing

/// The history after an unauthorized access, as Bob and the operator see it through the shipped programs.
@Suite struct HistoryJourneyTests {
    @Test("Bob sees the tablet that was added and removed; the operator sees the same, and that an entry was changed")
    func stranger() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            let tablet = CommandLineDevice(profile: folder.appendingPathComponent("tablet"), server: server.address)
            let signUp = try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob", "--json")
            let user = try #require((try signUp.json()["user"] as? [String: Any])?["serviceUserID"] as? String)
            let signIn = try await tablet.run("signin", "--provider", "apple", "--dev-user", "bob", "--json")
            let device = try #require((try signIn.json()["device"] as? [String: Any])?["id"] as? String)
            let own = try #require((try signUp.json()["device"] as? [String: Any])?["id"] as? String)
            let refused = try await laptop.run("devices", "remove", own)
            #expect(refused.status == 64 && refused.errors.contains("photolala signout"), "\(refused.errors)")
            #expect(try await laptop.run("devices", "remove", device).status == 0)
            let seen = try await laptop.run("history", "--json")
            #expect(seen.status == 0, "\(seen.errors)")
            let entries = try #require(try seen.json()["entries"] as? [[String: Any]])
            let events = ["account.created", "device.removed", "session.signed_in"]
            #expect(entries.compactMap { $0["act"] as? String }.sorted() == events)
            #expect(try await laptop.run("signout", "--everywhere").status == 0)

            let whole = try OperatorCommand.run("audit", user, "--json", data: data)
            #expect(whole.status == 0 && whole.output.contains("\"isProven\":true"), "\(whole.output)")
            #expect(whole.output.contains("\"act\":\"device.removed\""))
            try await Self.changeEntry("accounts/\(user)/audit/0000000001", in: data)
            let changed = try OperatorCommand.run("audit", user, data: data)
            #expect(changed.status == 1 && changed.output.contains("changed"), "\(changed.output)")
            #expect(try OperatorCommand.run("repair", "--json", data: data).output.contains("audit.entry_changed"))
            let none = "00000000-0000-4000-8000-000000000000"
            for unknown in [
                try OperatorCommand.run("audit", none, "--json", data: data),
                try OperatorCommand.run("events", "retry", none, on: data),
                try OperatorCommand.run("events", "skip", none, "1", on: data),
            ] {
                #expect(unknown.status == 1 && unknown.output.isEmpty, "no verdict: \(unknown.output)")
            }
            #expect(server.stop() == 0)
        }
    }

    private static func changeEntry(_ key: String, in data: URL) async throws {
        let store = try await DirectoryObjectStore.open(
            at: data, now: { Date() }, randomness: .system, logger: Logger(label: "test")
        )
        let entry = try #require(try await store.get(ObjectKey(known: key)))
        let changed = String(buffer: entry.bytes).replacing("\"apple\"", with: "\"google\"")
        try await store.put(ObjectKey(known: key), ByteBuffer(string: changed), if: .always)
        try await store.close()
    }
}
