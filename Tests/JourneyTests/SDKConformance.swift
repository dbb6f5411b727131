import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

/// The journey of all clients with the SDK, partly as the shipped command line, whose processes share its profile.
struct SDKConformance {
    let server: String
    let folder: URL
    let network: PhotolalaNetwork

    /// Thumbnails need libvips.
    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/vips")

    private static let expired = "expired"

    /// Returns the steps that are done.
    func run() async throws -> [ClientConformance] {
        let laptop = try session()
        let user = try await laptop.signUp(.credential(try await credential(for: .signup, laptop))).serviceUserID
        #expect(try await laptop.devices().map(\.isBound) == [true])
        var done = [ClientConformance.signUp]

        #expect(try await session().signedInUserID() == user)
        #expect(try await session().user().serviceUserID == user)
        done.append(.restart)

        try expire()
        #expect(try await session().user().serviceUserID == user)
        try await expectUselessTokens()
        done.append(.boundRenewal)

        try expire()
        let program = CommandLineDevice(profile: folder.appending(path: "laptop"), server: server)
        for process in try (0..<2).map({ _ in try program.start(["devices", "--json"]) }) {
            let run = try await process.finish()
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try tokens(of: "laptop").session["accessToken"] as? String != Self.expired)
        done.append(.concurrentRenewal)

        done += try await library(program)

        try await session("phone").removeDevice(try await laptop.device().id)
        let ended = await #expect(throws: PhotolalaError.self) { try await laptop.user() }
        #expect(ended?.code == .sessionEnded)
        #expect(try await session().signedInUserID() == nil)
        let missing = await #expect(throws: PhotolalaError.self) { try await laptop.user() }
        #expect(missing?.code == .notSignedIn)
        done.append(.endedSession)

        try await laptop.signIn(try await credential(for: .signin, laptop))
        #expect(try await session().user().serviceUserID == user)
        try await laptop.signOut()
        #expect(try await session().signedInUserID() == nil)
        #expect(try storage("laptop").load("session") == nil)
        done.append(.signOut)
        return done
    }

    /// Uses the tokens of the laptop with the key of the phone.
    private func expectUselessTokens() async throws {
        let phone = try session("phone")
        try await phone.signIn(try await credential(for: .signin, phone))
        let own = try tokens(of: "phone")
        try store(own.all, tokens(of: "laptop").session, for: "phone")
        let thief = try session("phone")
        for call in [{ try await thief.refresh() }, { _ = try await thief.user() }] {
            let error = await #expect(throws: PhotolalaError.self) { try await call() }
            #expect(error?.code == .invalidDPoPProof)
        }
        try store(own.all, own.session, for: "phone")
    }

    private func library(_ program: CommandLineDevice) async throws -> [ClientConformance] {
        let photos = folder.appending(path: "photos/Camera")
        let file = photos.appending(path: "IMG_1.jpg")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        let example = Repository.root.appending(path: "Examples/Photos/Green valley.jpg")
        try FileManager.default.copyItem(at: example, to: file)
        let backup = try await program.run("backup", photos.deletingLastPathComponent().path)
        #expect(backup.status == 0, "\(backup.errors)")

        let profile = try ProfileDirectory(folder.appending(path: "laptop"))
        let library = PhotolalaLibrary(session: try session(), profile: profile, network: network)
        let listed = try await library.photos()
        #expect(listed.map(\.path) == ["Camera/IMG_1.jpg"])
        let photo = try #require(listed.first)
        let thumbnail = try #require(try await library.thumbnail(for: photo))
        #expect(thumbnail.starts(with: [0xff, 0xd8, 0xff]) && thumbnail.count <= 256 << 10)
        let copy = folder.appending(path: "copy.jpg")
        try await library.downloadOriginal(of: photo, to: copy)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: example))
        return [.upload, .list, .thumbnail, .original]
    }

    /// Returns a session as after a restart of a device.
    private func session(_ device: String = "laptop") throws -> PhotolalaSession {
        PhotolalaSession(
            server: try ServerAddress(server), profile: try ProfileDirectory(folder.appending(path: device)),
            storage: try storage(device), network: network)
    }

    private func storage(_ device: String) throws -> FileSecretStorage {
        try ProfileDirectory(folder.appending(path: device)).fileSecretStorage()
    }

    private func credential(
        for purpose: ChallengePurpose, _ session: PhotolalaSession
    ) async throws -> ProviderCredential {
        let challenge = try await session.challenge(for: purpose).challenge
        let route = Route<[String: String], [String: String]>(.post, "/dev/providers/apple/token")
        let body = ["subject": "conformance", "nonce": challenge]
        let token = try #require(try await session.connection.send(route, body: body).value["idToken"])
        return ProviderCredential(provider: .apple, idToken: token, challenge: challenge)
    }

    /// Replaces the access token of the laptop by one that has expired.
    private func expire() throws {
        var (all, session) = try tokens(of: "laptop")
        session["accessToken"] = Self.expired
        try store(all, session, for: "laptop")
    }

    private func tokens(of device: String) throws -> (all: [String: Any], session: [String: Any]) {
        let bytes = try #require(try storage(device).load("session"))
        let all = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        return (all, try #require(all["session"] as? [String: Any]))
    }

    private func store(_ all: [String: Any], _ session: [String: Any], for device: String) throws {
        let changed = all.merging(["session": session]) { _, new in new }
        try storage(device).save(try JSONSerialization.data(withJSONObject: changed), as: "session")
    }
}
