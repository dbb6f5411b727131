import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Secrets
import Testing

/// A store of an earlier system, and its import with the shipped programs.
struct OlderBucket {
    static let bob = "a7f8d93e-5c2f-4b8a-9d6e-1a2b3c4d5e6f"
    /// The person that the development provider simulates, and the subject that it issues for him.
    static let (person, appleID) = ("000062.4d7e1357f2a0", "dev-000062.4d7e1357f2a0")

    /// Bob's local photos.
    let photos: URL
    /// Acts on the store while no server runs.
    let use: (_ act: (any ObjectStore) async throws -> Void) async throws -> Void
    /// Runs `photolala-server migrate` with an administrator's keys.
    let migrate: (_ arguments: [String]) throws -> OperatorCommand
    let serve: () async throws -> ServerProcess

    /// Refuses to start, imports, checks, confirms beside a running server, and restores once more.
    func journey(in folder: URL) async throws {
        try PhotoFolder.make(6, in: photos)
        try await use { try await fill($0) }
        let refusal = ConformanceFailure("the server ended at its start")
        await #expect(throws: refusal, "a server must not start here") { _ = try await serve() }
        let dry = try migrate(["--from", "older-layouts"])
        #expect(dry.status == 0 && dry.output.contains("nothing was changed"), "\(dry.output)")
        #expect(try migrate(["--from", "older-layouts", "--apply"]).status == 0)
        #expect(try migrate(["--undo"]).status == 0)
        await #expect(throws: refusal, "the old store exists again") { _ = try await serve() }
        let applied = try migrate(["--from", "older-layouts", "--apply", "--json"])
        #expect(applied.status == 0 && applied.output.contains("\"photosListed\":6"), "\(applied.output)")

        let server = try await serve()
        try await restore(in: folder.appendingPathComponent("first"), server)
        let refused = try migrate(["--undo"])
        #expect(refused.status == 69, "Bob has signed in: \(refused.output)")
        #expect(try migrate([]).output.contains("old and new objects exist"))
        let confirmed = try migrate(["--confirm"])
        #expect(confirmed.status == 0 && confirmed.output.contains("no findings"), "\(confirmed.output)")
        try await restore(in: folder.appendingPathComponent("second"), server)
        #expect(server.stop() == 0)
        try await use { store in
            let keys = try await store.list(prefix: "", after: nil, limit: 1000).objects.map(\.key.description)
            let old = keys.filter {
                $0.contains("appleid") || $0.contains("/photos/") || $0.contains(Self.bob.uppercased())
            }
            #expect(old.isEmpty)
            #expect(keys.contains("not/ours.txt"))
        }
    }

    private func restore(in home: URL, _ server: ServerProcess) async throws {
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let device = CommandLineDevice(profile: home.appendingPathComponent("profile"), server: server.address)
        let signedIn = try await device.run("signin", "--provider", "apple", "--dev-user", Self.person)
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        let target = home.appendingPathComponent("photos")
        let restored = try await device.run("restore", "--to", target.path)
        #expect(restored.status == 0, "\(restored.errors)")
        let before = try PhotoFolder.manifest(photos).values.map { $0[0] }.sorted()
        let after = try PhotoFolder.manifest(target).values.map { $0[0] }.sorted()
        #expect(before == after)
    }

    private func fill(_ store: any ObjectStore) async throws {
        try await put("identities/appleid/\(Self.appleID)", Data("\(Self.bob.uppercased())\n".utf8), store)
        try await put("users/\(Self.bob)/account/profile.json", Data(#"{"displayName":"Bob"}"#.utf8), store)
        try await put("not/ours.txt", Data("x".utf8), store)
        for (number, path) in try PhotoFolder.manifest(photos).keys.sorted().enumerated() {
            let bytes = try Data(contentsOf: photos.appendingPathComponent(path))
            let md5 = Hex.encode(Insecure.MD5.hash(data: bytes))
            switch number % 3 {
            case 0: try await put("users/\(Self.bob)/photos/\(number).jpg", bytes, store)
            case 1: try await put("photos/\(Self.bob.uppercased())/\(md5).dat", bytes, store)
            default: try await put("photos/\(Self.bob)/\(md5).dat", bytes, store)
            }
        }
    }

    private func put(_ key: String, _ bytes: Data, _ store: any ObjectStore) async throws {
        let body = ObjectBody(ByteBuffer(bytes: bytes))
        try await store.write(try #require(ObjectKey(key)), body, attributes: [:], if: .always)
    }
}
