import DirectoryStorage
import Foundation
import Logging
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import Transport

/// The operator's snapshot of a server under load, and a server on the recovered store.
@Suite struct SnapshotJourneyTests {
    /// People whose sign-ups were acknowledged.
    private final class AcknowledgedAccounts: Sendable {
        private let state = Mutex<[(Person, SignedIn)]>([])
        var all: [(person: Person, signedIn: SignedIn)] { state.withLock { $0 } }
        func add(_ person: Person, _ signedIn: SignedIn) { state.withLock { $0.append((person, signedIn)) } }
    }

    @Test("after a snapshot under load, a kill and a recovery, all people sign in and find their photo")
    func snapshotAndRecover() async throws {
        try await withTemporaryFolder { folder, transport in
            let (old, new) = (folder.appendingPathComponent("old"), folder.appendingPathComponent("new"))
            let file = folder.appendingPathComponent("accounts.snapshot")
            try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: old, transport: transport)
            let people = try await Self.peopleBeforeSnapshot(at: server.address, transport, file, of: old)
            server.kill()

            // The photos and their database are copied; no accounts remain.
            try FileManager.default.copyItem(at: old, to: new)
            try await Self.loseAccounts(in: new)
            try Self.recover(file, into: new)
            let restored = try await ServerProcess(data: new, transport: transport)
            for (person, signedIn) in people {
                #expect(try await person.refresh(signedIn.session.refreshToken, at: restored.address) == nil)
                let again = try await person.signIn(at: restored.address)
                #expect(again.user.serviceUserID == signedIn.user.serviceUserID)
                let storage = try await person.storage(at: restored.address, again.session)
                #expect(try await storage.get(Self.photo(of: again))?.bytes == ByteBuffer(string: person.subject))
            }
            #expect(try OperatorCommand.run("repair", data: new).output.contains("no findings"))
            #expect(restored.stop() == 0)
        }
    }

    /// Signs people up, takes the snapshot during further sign-ups, and returns the people from before it began.
    private static func peopleBeforeSnapshot(
        at server: String, _ transport: any HTTPTransport, _ file: URL, of data: URL
    ) async throws -> [(person: Person, signedIn: SignedIn)] {
        let acknowledged = AcknowledgedAccounts()
        let (additions, addition) = AsyncStream.makeStream(of: Void.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await withTaskGroup(of: Void.self) { group in
                    for worker in 0..<3 {
                        group.addTask { await load(server, 1 + worker * 1000, transport, acknowledged, addition) }
                    }
                }
                addition.finish()
            }
            for await _ in additions where acknowledged.all.count >= 30 { break }
            var before = acknowledged.all
            // A snapshot is fast: it counts if a sign-up completed during it.
            for _ in 0..<50 {
                try? FileManager.default.removeItem(at: file)
                before = acknowledged.all
                #expect(try await run("snapshot", file.path, on: data).status == 0)
                if acknowledged.all.count > before.count { break }
            }
            #expect(acknowledged.all.count > before.count, "no sign-up during the snapshot")
            group.cancelAll()
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try await run("snapshot", file.path, on: data).status == 69, "an existing file is not replaced")
            let left = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            #expect(!left.contains { $0.contains("unfinished") })
            return before
        }
    }

    /// Runs a command outside the cooperative thread pool.
    private static func run(_ command: String, _ argument: String, on data: URL) async throws -> OperatorCommand {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try OperatorCommand.run(command, argument, data: data) })
            }
        }
    }

    private static func load(
        _ server: String, _ first: Int, _ transport: any HTTPTransport, _ acknowledged: AcknowledgedAccounts,
        _ addition: AsyncStream<Void>.Continuation
    ) async {
        do {
            for number in first..<first + 1000 where !Task.isCancelled {
                let person = Person(number, transport: transport)
                guard let signedIn = try await person.signUp(at: server, token: try await person.token(at: server))
                else { continue }
                let storage = try await person.storage(at: server, signedIn.session)
                try await storage.put(photo(of: signedIn), ByteBuffer(string: person.subject), if: .always)
                acknowledged.add(person, signedIn)
                addition.yield()
            }
        } catch {
            return
        }
    }

    private static func recover(_ file: URL, into new: URL) throws {
        let bytes = try Data(contentsOf: file)
        try bytes.dropLast(100).write(to: file.appendingPathExtension("cut"))
        #expect(try OperatorCommand.run("recover", "--apply", file.path + ".cut", data: new).status == 69)
        let dry = try OperatorCommand.run("recover", file.path, data: new)
        #expect(dry.status == 0 && dry.output.contains("nothing was changed"), "\(dry.output)")
        let applied = try OperatorCommand.run("recover", "--apply", file.path, data: new)
        #expect(applied.status == 0 && applied.output.contains("recovered: "), "\(applied.output)")
        #expect(
            try OperatorCommand.run("recover", "--apply", file.path, data: new).status == 69, "the store is not empty")
        #expect(try OperatorCommand.run("repair", "--apply", data: new).status == 0)
    }

    private static func loseAccounts(in data: URL) async throws {
        let store = try await DirectoryObjectStore.open(
            at: data, now: { Date() }, randomness: .system, logger: Logger(label: "test"))
        try await removeAccounts(from: store)
        try await store.close()
    }

    private static func photo(of signedIn: SignedIn) -> ObjectKey {
        ObjectKey(
            known: StorageLayout.photo(signedIn.user.serviceUserID, md5: String(repeating: "a", count: 32)))
    }
}

/// Only the users' objects remain.
private func removeAccounts(from store: any ObjectStore) async throws {
    for prefix in [StorageLayout.identities, StorageLayout.accounts, StorageLayout.service] {
        while true {
            let page = try await store.list(prefix: prefix, after: nil, limit: 1000)
            for object in page.objects { try await store.delete(object.key, if: .always) }
            if !page.isTruncated { break }
        }
    }
}

extension OnSeaweedFS {
    @Suite struct SnapshotOnBucketTests {
        @Test("a bucket that lost its accounts recovers them from a snapshot and keeps its photos")
        func bucket() async throws {
            try await SeaweedFS.run { engine in
                let transport = engine.transport
                let server = try await ServerProcess(on: engine, transport: transport)
                let bob = Person(1, transport: transport)
                let token = try await bob.token(at: server.address)
                let signedUp = try #require(try await bob.signUp(at: server.address, token: token))
                let photo = ObjectKey(
                    known: StorageLayout.photo(signedUp.user.serviceUserID, md5: String(repeating: "a", count: 32)))
                try await bob.storage(at: server.address, signedUp.session).put(
                    photo, ByteBuffer(string: "photo"), if: .always)
                try await withTemporaryFolder { folder in
                    let file = folder.appendingPathComponent("accounts.snapshot").path
                    #expect(try OperatorCommand.run("snapshot", file, on: engine).status == 0)
                    #expect(try OperatorCommand.run("recover", "--apply", file, on: engine).status == 69)
                    #expect(server.stop() == 0)
                    try await removeAccounts(from: try engine.store())
                    let applied = try OperatorCommand.run("recover", "--apply", file, on: engine)
                    #expect(
                        applied.status == 0 && applied.output.contains("recovered: 1 account,"), "\(applied.output)")
                }
                let next = try await ServerProcess(on: engine, transport: transport, onPortsOf: server)
                #expect(try await bob.refresh(signedUp.session.refreshToken, at: next.address) == nil)
                let again = try await bob.signIn(at: next.address)
                let storage = try await bob.storage(at: next.address, again.session)
                #expect(try await storage.get(photo)?.bytes == ByteBuffer(string: "photo"))
                #expect(next.stop() == 0)
            }
        }
    }
}
