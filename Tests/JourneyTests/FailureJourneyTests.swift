import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Secrets
import Testing

/// Error cases through the shipped command line.
@Suite(.serialized) struct FailureJourneyTests {
    /// A server, and a device of Bob that is signed up.
    private func withBob(
        _ test: (URL, ServerProcess, CommandLineDevice) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            try await test(folder, server, laptop)
            server.kill()
        }
    }

    private func makePhotos(_ count: Int, in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<count {
            let bytes = Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(Randomness.seeded(UInt64(number)).bytes(20_000))
            try bytes.write(to: folder.appendingPathComponent("IMG_\(number).jpg"))
        }
    }

    @Test("a photo whose stored bytes are damaged is named by the restore and uploaded again by the next backup")
    func damagedPhoto() async throws {
        try await withBob { folder, _, laptop in
            let photos = folder.appendingPathComponent("photos")
            try makePhotos(12, in: photos)
            #expect(try await laptop.run("backup", photos.path).status == 0)
            let list = try #require(try await laptop.run("list", "--json").json()["photos"] as? [[String: Any]])
            let photo = try #require(list.first { $0["path"] as? String == "IMG_3.jpg" })
            let stored = try storedFile(try #require(photo["md5"] as? String), in: folder)
            var bytes = try Data(contentsOf: stored)
            bytes[1000] ^= 1
            try bytes.write(to: stored)

            let restored = folder.appendingPathComponent("restored").path
            let damaged = try await laptop.run("restore", "--to", restored, "--json")
            #expect(damaged.status == 2)
            let failures = try #require(try damaged.json()["failures"] as? [[String: String]])
            #expect(failures.map { $0["path"] } == ["IMG_3.jpg"])
            #expect(failures.first?["reason"]?.contains("damaged") == true)
            #expect(try damaged.json()["restoredFiles"] as? Int == 11)
            #expect(try damaged.json()["damagedFiles"] as? Int == 1)

            let again = try await laptop.run("backup", photos.path, "--json")
            #expect(again.status == 0, "\(again.errors)")
            #expect(try again.folder("uploadedFiles") == 1)
            #expect(try await laptop.run("restore", "--to", restored).status == 0)
            let original = try Data(contentsOf: photos.appendingPathComponent("IMG_3.jpg"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(restored)/IMG_3.jpg")) == original)
        }
    }

    @Test("a folder that does not exist is reported, and the others are backed up")
    func missingFolder() async throws {
        try await withBob { folder, _, laptop in
            let photos = folder.appendingPathComponent("photos")
            try makePhotos(2, in: photos)
            let missing = folder.appendingPathComponent("missing").path
            let run = try await laptop.run("backup", missing, photos.path, "--json")
            #expect(run.status == 2, "\(run.errors)")
            #expect(try run.folder("uploadedFiles") == 2)
            let unusable = try #require(try run.json()["unusableFolders"] as? [[String: String]])
            #expect(unusable.map { $0["folder"] } == [missing])
            let text = try await laptop.run("backup", photos.path, missing)
            #expect(text.status == 2 && text.errors.contains("no such file or folder: \(missing)."))
            #expect(try await laptop.run("backup", missing).status == 1)
            #expect(try await laptop.run("local", "scan", missing, photos.path).status == 2)
        }
    }

    @Test("a profile folder that other users can read is unusable with status 3, and a sign-in makes it private")
    func exposedProfile() async throws {
        try await withBob { folder, _, laptop in
            chmod(folder.appendingPathComponent("laptop").path, 0o755)
            let refused = try await laptop.run("whoami", "--json")
            #expect(refused.status == 3)
            let error = try #require(try refused.json()["error"] as? [String: Any])
            #expect(error["code"] as? String == "local_state_unusable")
            let signedIn = try await laptop.run("signin", "--provider", "apple", "--dev-user", "bob")
            #expect(signedIn.status == 0 && signedIn.errors.contains("Other users could read"), "\(signedIn.errors)")
            #expect(try await laptop.run("whoami").status == 0)
        }
    }

    @Test("a server that stalls during a backup ends it with status 7, and uploaded photos are safe")
    func stalledServer() async throws {
        try await withBob { folder, server, laptop in
            let photos = folder.appendingPathComponent("photos")
            try makePhotos(600, in: photos)
            let running = try laptop.start(["backup", "--stall-timeout", "1", "--json", photos.path])
            try await waitUntil("a file is stored", every: .milliseconds(1)) {
                try !running.isRunning || !storedFiles(in: folder).isEmpty
            }
            server.send(SIGSTOP)
            let run = try await running.finish()
            server.send(SIGCONT)
            #expect(run.status == 7, "\(run.errors)")
            let report = try #require((try run.json()["folders"] as? [[String: Any]])?.first)
            let stopped = try #require(report["stopped"] as? [String: Any])
            #expect(stopped["code"] as? String == "temporarily_unavailable")
            #expect((stopped["detail"] as? String)?.contains("photo store unavailable") == true)
            let again = try await laptop.run("backup", photos.path, "--json")
            #expect(again.status == 0, "\(again.errors)")
            #expect(try await laptop.run("list", "--json").json()["files"] as? Int == 600)
        }
    }

    private func storedFiles(in folder: URL) throws -> [String] {
        let photos = folder.appendingPathComponent("data/photos")
        let paths = FileManager.default.enumerator(atPath: photos.path)?.allObjects as? [String] ?? []
        return paths.filter { $0.hasSuffix(".dat") }
    }

    private func storedFile(_ md5: String, in folder: URL) throws -> URL {
        let path = try #require(try storedFiles(in: folder).first { $0.hasSuffix("\(md5).dat") })
        return folder.appendingPathComponent("data/photos").appendingPathComponent(path)
    }

    @Test("sign-in does not replace a signed-in account, and the suggested command works")
    func standingSession() async throws {
        try await withBob { folder, server, laptop in
            let eve = CommandLineDevice(profile: folder.appendingPathComponent("eve"), server: server.address)
            #expect(try await eve.run("signup", "--provider", "google", "--dev-user", "eve").status == 0)
            let before = try await laptop.run("whoami", "--json").json()["user"] as? [String: Any]
            for act in ["signup", "signin"] {
                let refused = try await laptop.run(act, "--provider", "google", "--dev-user", "eve", "--json")
                #expect(refused.status == 5)
                #expect((try refused.json()["error"] as? [String: Any])?["code"] as? String == "already_signed_in")
            }
            let after = try await laptop.run("whoami", "--json").json()["user"] as? [String: Any]
            #expect(before?["serviceUserID"] as? String == after?["serviceUserID"] as? String)
            #expect(try await laptop.run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await laptop.run("signout").status == 0)
            #expect(try await laptop.run("signin", "--provider", "google", "--dev-user", "eve").status == 0)
        }
    }

    @Test("the suggested sign-in after a sign-out needs no --server, and a failed one elsewhere changes nothing")
    func lastServer() async throws {
        try await withBob { _, server, laptop in
            func run(_ words: String...) async throws -> CommandLineDevice.Run {
                let all = words + ["--profile-dir", laptop.profile.path]
                return try await RunningCommand(all, home: laptop.profile).finish()
            }
            #expect(try await run("signout").status == 0)
            let again = try await run("signin", "--provider", "apple", "--dev-user", "bob", "--json")
            #expect(try again.json()["server"] as? String == server.address, "\(again.errors)")
            #expect(try await run("signout").status == 0)
            let elsewhere = "http://127.0.0.1:1"
            let named = try await run("signin", "--provider", "apple", "--dev-user", "bob", "--server", elsewhere)
            #expect(named.status == 7 && named.errors.contains(elsewhere), "\(named.errors)")
            let page = try await run("signin", "--no-browser", "--server", elsewhere)
            #expect(page.status == 7 && !page.errors.contains("Open this URL"), "\(page.errors)")
            #expect(try await run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)
        }
    }

    @Test("a profile whose secrets cannot be opened asks for a sign-in, which repairs it")
    func damagedSecrets() async throws {
        try await withBob { _, _, laptop in
            let session = laptop.profile.appendingPathComponent("secrets/session.sealed")
            try Data("junk".utf8).write(to: session)
            #expect(try await laptop.run("whoami").status == 3)
            let examined = try await laptop.run("doctor", "--json")
            let findings = try #require(try examined.json()["findings"] as? [[String: String]])
            let levels = Dictionary(
                findings.map { ("\($0["check"] ?? "")", $0["level"] ?? "") }, uniquingKeysWith: { max($0, $1) })
            #expect(examined.status == 1 && levels["profile"] == "problem", "\(findings)")
            #expect(levels["server"] == "ok" && levels["clock"] == "ok" && levels["session"] == nil, "\(findings)")
            let signedIn = try await laptop.run("signin", "--provider", "apple", "--dev-user", "bob")
            #expect(signedIn.status == 0)
            #expect(signedIn.errors.contains("session.sealed cannot be opened"))
            #expect(try await laptop.run("whoami").status == 0)
        }
    }

    @Test("processes that concurrently find a bound session's access token expired all succeed")
    func boundRenewalRace() async throws {
        try await withBob { _, _, laptop in
            for _ in 1...3 {
                try endAccessToken(of: laptop)
                let running = try (0..<6).map { _ in try laptop.start(["devices", "--json"]) }
                for one in running {
                    let run = try await one.finish()
                    #expect(run.status == 0, "\(run.errors)")
                }
            }
        }
    }

    @Test("processes that concurrently find the access token expired share one renewal and all succeed")
    func renewalRace() async throws {
        try await withBob { _, _, laptop in
            try await signInUnbound(laptop)
            for round in 1...3 {
                try endAccessToken(of: laptop)
                let running = try (0..<6).map { _ in try laptop.start(["devices", "--json"]) }
                for one in running {
                    let run = try await one.finish()
                    #expect(run.status == 0, "\(run.errors)")
                    #expect((try run.json()["devices"] as? [Any])?.count == 1)
                }
                #expect(try renewals(of: laptop) == round)
            }
        }
    }

    /// Signs Bob in again with an app that binds no key, so that each refresh token is valid once.
    private func signInUnbound(_ device: CommandLineDevice) async throws {
        let network = PhotolalaNetwork()
        let outcome: Result<Void, any Error>
        do {
            let profile = try ProfileDirectory(device.profile)
            let session = PhotolalaSession(
                server: try ServerAddress(device.server), profile: profile, storage: try profile.fileSecretStorage(),
                network: network, bindsSessions: false
            )
            let route = Route<[String: String], [String: String]>(.post, "/dev/providers/apple/token")
            let response = try await session.connection.send(route, body: ["subject": "dev-bob"]).value
            let token = try #require(response["idToken"])
            try await session.signIn(ProviderCredential(provider: .apple, idToken: token))
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await network.close()
        try outcome.get()
    }

    /// Moves the expiry of the device's access token back by an hour.
    private func endAccessToken(of device: CommandLineDevice) throws {
        let storage = try ProfileDirectory(device.profile).fileSecretStorage()
        var (stored, session) = try kept(storage)
        session["accessTokenExpiresAt"] = "2020-01-01T00:00:00Z"
        stored["session"] = session
        try storage.save(try JSONSerialization.data(withJSONObject: stored), as: "session")
    }

    /// Returns how often the session's refresh token was used, from the counter in its last four bytes.
    private func renewals(of device: CommandLineDevice) throws -> Int {
        let session = try kept(try ProfileDirectory(device.profile).fileSecretStorage()).session
        let parts = try #require(session["refreshToken"] as? String).split(separator: ".")
        let counted = try #require(parts.dropFirst(2).first)
        let bytes = try #require(Base64URL.decode(counted))
        return bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    private func kept(_ storage: FileSecretStorage) throws -> (stored: [String: Any], session: [String: Any]) {
        let bytes = try #require(try storage.load("session"))
        let stored = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        return (stored, try #require(stored["session"] as? [String: Any]))
    }
}
