import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import Transport

/// The server is killed repeatedly under load: acknowledged writes survive.
@Suite(.serialized) struct PowerCutTests {
    /// The writes that were acknowledged to clients.
    private final class AcknowledgedWrites: Sendable {
        private struct State {
            var people: [Int] = []
            var photos: [(person: Int, user: UserID, md5: String, size: Int)] = []
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.people.count + $0.photos.count } }
        var people: [Int] { state.withLock { $0.people } }
        var photos: [(person: Int, user: UserID, md5: String, size: Int)] { state.withLock { $0.photos } }

        func add(person: Int) { state.withLock { $0.people.append(person) } }

        func add(photo md5: String, size: Int, person: Int, user: UserID) {
            state.withLock { $0.photos.append((person, user, md5, size)) }
        }
    }

    @Test("a server killed twenty times under load loses no acknowledged account or photo")
    func killedUnderLoad() async throws {
        try await withTemporaryFolder { data, transport in
            let acknowledged = AcknowledgedWrites()
            for round in 0..<20 {
                let server = try await ServerProcess(data: data, transport: transport)
                let goal = acknowledged.count + 30
                let (additions, addition) = AsyncStream.makeStream(of: Void.self)
                let workers = Task {
                    await withTaskGroup(of: Void.self) { group in
                        for worker in 0..<4 {
                            group.addTask {
                                let first = 1 + round * 400 + worker * 100
                                await load(server.address, first, transport, acknowledged, addition)
                            }
                        }
                    }
                    addition.finish()
                }
                // The load runs until the kill, which follows a number of acknowledgements.
                for await _ in additions where acknowledged.count >= goal { break }
                #expect(acknowledged.count >= goal, "the load ended before the cut")
                server.kill()
                await workers.value
            }
            let server = try await ServerProcess(data: data, transport: transport)
            try await check(acknowledged, server.address, transport)
            // Half-done acts are younger than the grace period, or were reconciled by the check's sign-ins.
            let repair = try OperatorCommand.run("repair", "--json", data: data)
            #expect(repair.status == 0, "\(repair.output)")
            let summary = try #require(repair.output.split(separator: "\n").last)
            #expect(summary.contains("\"findings\":0"))
            #expect(server.stop() == 0)
        }
    }

    /// Signs people up and stores a photo for each, until the server no longer responds.
    private func load(
        _ server: String, _ first: Int, _ transport: any HTTPTransport, _ acknowledged: AcknowledgedWrites,
        _ addition: AsyncStream<Void>.Continuation
    ) async {
        do {
            for number in first..<first + 100 {
                let person = Person(number, transport: transport)
                guard let signedIn = try await person.signUp(at: server, token: try await person.token(at: server))
                else { continue }
                acknowledged.add(person: number)
                addition.yield()
                let bytes = ByteBuffer(bytes: Randomness.seeded(UInt64(number)).bytes(3000 + number))
                let md5 = Self.md5(bytes)
                let user = signedIn.user.serviceUserID
                let storage = try await person.storage(at: server, signedIn.session)
                _ = try await storage.put(ObjectKey(known: StorageLayout.photo(user, md5: md5)), bytes, if: .always)
                acknowledged.add(photo: md5, size: bytes.readableBytes, person: number, user: user)
                addition.yield()
            }
        } catch {
            return
        }
    }

    private func check(_ acknowledged: AcknowledgedWrites, _ server: String, _ transport: any HTTPTransport)
        async throws
    {
        #expect(acknowledged.people.count >= 200)
        #expect(acknowledged.photos.count >= 100)
        var sessions: [Int: SignedIn] = [:]
        for number in acknowledged.people {
            sessions[number] = try await Person(number, transport: transport).signIn(at: server)
        }
        for photo in acknowledged.photos {
            let signedIn = try #require(sessions[photo.person])
            #expect(signedIn.user.serviceUserID == photo.user)
            let storage = try await Person(photo.person, transport: transport).storage(at: server, signedIn.session)
            let found = try await storage.get(
                ObjectKey(known: StorageLayout.photo(photo.user, md5: photo.md5)), limit: 1 << 20
            )
            #expect(found?.bytes.readableBytes == photo.size)
            #expect(found.map { Self.md5($0.bytes) } == photo.md5)
        }
    }

    private static func md5(_ bytes: ByteBuffer) -> String {
        Hex.encode(Insecure.MD5.hash(data: Data(bytes.readableBytesView)))
    }
}
