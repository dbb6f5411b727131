import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

/// All suites that run real server processes on a real S3 engine.
@Suite(
    "Servers on SeaweedFS", .serialized,
    .disabled("SKIP_LIVE=1: no server runs on a real engine") { SeaweedFS.isSkipped },
    .enabled("scripts/install-seaweedfs installs the engine") { SeaweedFS.isInstalled }
)
enum OnSeaweedFS {}

extension OnSeaweedFS {
    /// A server and its operator on a bucket.
    @Suite struct BucketJourneyTests {
        @Test("Bob signs up, in and out on a bucket, and a restarted server still has his account")
        func person() async throws {
            try await SeaweedFS.run { engine in
                let transport = engine.transport
                let server = try await ServerProcess(on: engine, transport: transport)
                let bob = Person(1, transport: transport)
                let token = try await bob.token(at: server.address)
                let signedUp = try #require(try await bob.signUp(at: server.address, token: token))
                #expect(try await bob.signUp(at: server.address, token: token) == nil)
                let session = try #require(
                    try await bob.refresh(signedUp.session.refreshToken, at: server.address)
                )
                #expect(try await bob.call("\(server.address)/auth/signout", token: session.accessToken).status == 204)
                #expect(try await bob.refresh(session.refreshToken, at: server.address) == nil)
                #expect(server.stop() == 0)

                let next = try await ServerProcess(on: engine, transport: transport, onPortsOf: server)
                let again = try await bob.signIn(at: next.address)
                #expect(again.user.serviceUserID == signedUp.user.serviceUserID)
                #expect(next.stop() == 0)
                let left = try await engine.store().list(prefix: "service/check/", after: nil, limit: 1)
                #expect(left.objects.isEmpty, "a start leaves nothing behind")
            }
        }

        @Test("Bob uploads directly to a bucket with the command line and cannot access other users' objects")
        func commandLine() async throws {
            try await SeaweedFS.run { engine in
                let transport = engine.transport
                let server = try await ServerProcess(on: engine, transport: transport)
                try await withTemporaryFolder { folder in
                    let laptop = CommandLineDevice(
                        profile: folder.appendingPathComponent("laptop"), server: server.address)
                    try await BobsJourney.run(folder, server, laptop)
                }
                let stored = try await engine.store().list(prefix: "photos/", after: nil, limit: 1000).objects
                #expect(stored.count == 24)
                let eve = Person(1, transport: transport)
                let token = try await eve.token(at: server.address)
                let session = try #require(try await eve.signUp(at: server.address, token: token)).session
                let storage = try await eve.storage(at: server.address, session)
                let photo = try #require(stored.first).key
                await #expect(throws: ObjectStoreError.denied("AccessDenied (HTTP 403)")) {
                    _ = try await storage.get(photo, limit: 1 << 20)
                }
                await #expect(throws: ObjectStoreError.denied("AccessDenied (HTTP 403)")) {
                    try await storage.delete(photo, if: .always)
                }
                #expect(try await engine.store().head(photo) != nil)
                #expect(server.stop() == 0)
            }
        }

        @Test("the operator's commands work on a bucket as on a folder and create no missing store")
        func commands() async throws {
            try await SeaweedFS.run { engine in
                let transport = engine.transport
                let none = try OperatorCommand.run("repair", on: engine)
                #expect(none.status == 69)
                #expect(try await engine.store().list(prefix: "service/", after: nil, limit: 1).objects.isEmpty)

                let server = try await ServerProcess(on: engine, transport: transport)
                let bob = Person(1, transport: transport)
                let token = try await bob.token(at: server.address)
                let signedUp = try #require(try await bob.signUp(at: server.address, token: token))
                let well = try OperatorCommand.run("repair", on: engine)
                #expect(well.status == 0 && well.output.contains("1 account, 1 identity binding"), "\(well.output)")
                try await loseOneAccount(signedUp.user.serviceUserID, engine)
                let found = try OperatorCommand.run("repair", "--json", on: engine)
                #expect(found.status == 1 && found.output.contains("claim.without_account"), "\(found.output)")

                let issuer = "https://a.example"
                #expect(try OperatorCommand.run("accept-issuer", "apple", issuer, on: engine).status == 0)
                #expect(try OperatorCommand.run("accept-issuer", "unknown", issuer, on: engine).status == 69)
                let report = try OperatorCommand.run("check-settings", on: engine)
                #expect(report.output.contains(engine.endpoint) && report.status == 0)
                #expect(!report.output.contains(engine.service.secretAccessKey))
                #expect(server.stop() == 0)
            }
        }

        /// Deletes an account document, as a fault of the store could.
        private func loseOneAccount(_ user: UserID, _ engine: SeaweedFS) async throws {
            try await engine.store().delete(ObjectKey(known: StorageLayout.accountDocument(user)), if: .always)
        }
    }
}
