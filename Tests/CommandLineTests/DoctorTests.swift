import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

@testable import photolala

/// The checks of `photolala doctor`.
@Suite struct DoctorTests {
    private static let ready = #"{"status":"ready","maintenance":"on_time"}"#
    /// 08:00:00 GMT, the fixtures' clock.
    private static let date = "Fri, 15 Jan 2027 08:00:00 GMT"

    private static func response(
        _ text: String, status: Int = 200, date: String? = date
    ) -> FakeServer.Response {
        let fields: HTTPFields = date.map { [.date: $0] } ?? [:]
        return { _ in .text(text, status: status, type: "application/json", more: fields) }
    }

    private static func server(
        _ script: [String: [FakeServer.Response]], at now: Date = ClientFixture.start, limit: Duration = .seconds(60)
    ) async throws -> (findings: [Finding], isReachable: Bool) {
        let connection = ServiceConnection(
            server: try ServerAddress("https://photos.example"), transport: FakeServer(script))
        return await ServerExamination(connection: connection, now: { now }, limit: limit).findings()
    }

    @Test func `a server that answers is reported with its version and its clock`() async throws {
        let document = Self.response("openapi: 3.1.0\ninfo:\n  title: x\n  version: 0.9.1\nservers: []\n")
        let found = try await Self.server([
            "GET /health/ready": [Self.response(Self.ready)], "GET /openapi.yaml": [document],
        ])
        #expect(found.isReachable && found.findings.map(\.level) == [.ok, .ok, .ok])
        #expect(found.findings.map(\.check) == ["server", "version", "clock"])
        #expect(found.findings[1].detail == "photolala \(PhotolalaVersion.current), server 0.9.1")
    }

    @Test(
        "the clock may differ by a minute, and by 15 minutes with a warning",
        arguments: [
            (0, .ok, ""), (61, .ok, ""), (-60, .ok, ""), (62, .warning, "61 s ahead of"),
            (-61, .warning, "61 s behind"), (901, .warning, "15 min ahead of"),
            (902, .problem, "15 min ahead of"), (-901, .problem, "15 min behind"),
            (-86_400, .problem, "24 h behind"),
        ] as [(TimeInterval, Finding.Level, String)])
    func clock(offset: TimeInterval, level: Finding.Level, text: String) async throws {
        let found = try await Self.server(
            ["GET /health/ready": [Self.response(Self.ready)]], at: ClientFixture.start + offset)
        let clock = try #require(found.findings.last)
        #expect(clock.check == "clock" && clock.level == level && clock.detail.hasPrefix(text), "\(clock)")
        #expect((clock.remedy == nil) == (level == .ok))
    }

    @Test func `a response without a date leaves the clock unchecked`() async throws {
        let found = try await Self.server(["GET /health/ready": [Self.response(Self.ready, date: nil)]])
        #expect(found.findings.last?.check == "clock" && found.findings.last?.level == .warning)
    }

    @Test(
        "a server that is none, does not answer or is not trusted is a problem, and the other checks are left out",
        arguments: [
            (response("<html>"), "HTTP 200"), (response("{}", status: 503), "HTTP 503"),
            (response("{}", status: 301), "HTTP 301"), (FakeServer.lost, "Lost connection"),
            ({ _ throws(TransportError) in throw .notSent("refused") }, "Cannot connect"),
            (
                { _ throws(TransportError) in throw .serverNotTrusted("certificate has expired") },
                "certificate has expired"
            ),
        ] as [(FakeServer.Response, String)])
    func unusable(response: @escaping FakeServer.Response, text: String) async throws {
        let found = try await Self.server(["GET /health/ready": [response]])
        #expect(!found.isReachable && found.findings.map(\.level) == [.problem])
        #expect(found.findings[0].detail.contains(text) && found.findings[0].remedy != nil, "\(found.findings)")
    }

    @Test func `a server that accepts a request and is silent is given up`() async throws {
        let silent: FakeServer.Response = { _ throws(TransportError) in
            do { try await Task.sleep(for: .seconds(3600)) } catch { throw .connectionLost("cancelled") }
            throw .connectionLost("too late")
        }
        let found = try await Self.server(["GET /health/ready": [silent]], limit: .milliseconds(1))
        #expect(found.findings.map(\.level) == [.problem])
        #expect(found.findings[0].detail.hasPrefix("No response within "))
    }

    private static func account(
        _ script: [String: [FakeServer.Response]], store: PhotolalaError? = nil, isSignedIn: Bool = true,
        device: String? = nil
    ) async throws -> [Finding] {
        var found: [Finding] = []
        let all = ["POST /auth/signin": [ClientFixture.signedInAnswer()]].merging(script) { _, new in new }
        try await ClientFixture.with(all) { client in
            let session = isSignedIn ? try await client.signedIn() : try client.session()
            if let device {
                let file = client.folder.appending(path: "device.json")
                try FileManager.default.removeItem(at: file)
                try Data(device.utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            }
            let examination = AccountExamination(
                session: session, checkStore: { if let store { throw store } }, limit: .seconds(60))
            found = await examination.findings()
        }
        return found
    }

    private static let userPath = "GET /users/\(ClientFixture.user)"

    @Test func `a signed-in account with free quota and a store is fine`() async throws {
        let found = try await Self.account([Self.userPath: [FakeServer.json(ClientFixture.account())]])
        #expect(found.map(\.check) == ["session", "account", "storage", "store"])
        #expect(found.allSatisfy { $0.level == .ok }, "\(found)")
        #expect(found[0].detail.contains("2027-02-14"))
    }

    @Test func `a damaged description of the device is a problem`() async throws {
        let found = try await Self.account([:], device: "{")
        #expect(found.map(\.level) == [.problem] && found[0].detail.contains("device.json"))
    }

    @Test func `no session, and one that has ended, are problems with the command to sign in`() async throws {
        let ended = [
            Self.userPath: [FakeServer.problem(.sessionEnded, 401)]
        ]
        for found in [try await Self.account([:], isSignedIn: false), try await Self.account(ended)] {
            #expect(found.map(\.level) == [.problem] && found[0].check == "session")
            #expect(found[0].remedy?.contains("photolala signin") == true)
        }
    }

    @Test func `each failure is shown as it is, and does not stop the other checks`() async throws {
        let store = PhotolalaError(code: .photoStoreFailed, detail: "Operation failed: denied.")
        let found = try await Self.account(
            [
                Self.userPath: [FakeServer.json(ClientFixture.account())],
                "GET \(ClientFixture.usagePath)": [FakeServer.problem(.internalError, 500)],
            ], store: store)
        #expect(found.map(\.level) == [.ok, .ok, .problem, .problem])
        #expect(found[2].detail == "about internal_error" && found[3].detail == store.detail)
    }

    @Test(
        "the quota is a warning from 80 % on, and a problem when it is used up",
        arguments: [(79, .ok), (80, .warning), (99, .warning), (100, .problem)] as [(Int64, Finding.Level)])
    func quota(percent: Int64, level: Finding.Level) async throws {
        let found = try await Self.account([
            Self.userPath: [FakeServer.json(ClientFixture.account())],
            "GET \(ClientFixture.usagePath)": [ClientFixture.usage(percent, of: 100)],
        ])
        #expect(found.first { $0.check == "storage" }?.level == level)
    }

    @Test func `a private profile folder is fine, a missing one is a warning`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
        let found = ProfileExamination(folder: folder.path).findings()
        #expect(found.isUsable && found.findings.first == Finding("profile", .ok, folder.path))
        #expect(found.findings.map(\.check) == ["profile", "disk"])
        let missing = ProfileExamination(folder: folder.subpath("none")).findings()
        #expect(!missing.isUsable && missing.findings.map(\.level) == [.warning])
        #expect(!FileManager.default.fileExists(atPath: folder.subpath("none")))
    }

    @Test func `a file in place of the profile, and what others can read, are problems`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
        try folder.write("file", [])
        #expect(!ProfileExamination(folder: folder.subpath("file")).findings().isUsable)
        let link = folder.path + "-link"
        defer { try? FileManager.default.removeItem(atPath: link) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/nowhere")
        let dangling = ProfileExamination(folder: link).findings()
        #expect(!dangling.isUsable && dangling.findings.map(\.detail) == ["\(link) is a link that leads nowhere"])
        chmod(folder.subpath("file"), 0o640)
        let found = ProfileExamination(folder: folder.path).findings()
        #expect(!found.isUsable && found.findings.map(\.level) == [.problem])
        #expect(found.findings[0].detail == "\(folder.path)/file has mode 640: others may have read it")
        #expect(found.findings[0].remedy?.hasSuffix("chmod 600 \(folder.path)/file") == true)
        chmod(folder.subpath("file"), 0o600)
        #expect(ProfileExamination(folder: folder.path).findings().isUsable)
    }

    @Test func `the processes with a lock on a file are found in the system's list`() {
        let locks = """
            1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF
            2: POSIX  ADVISORY  READ 4712 08:01:123456 128 128
            3: FLOCK  ADVISORY  WRITE 4713 08:01:99 0 EOF
            4: -> FLOCK  ADVISORY  WRITE 4714 08:01:123456 0 EOF
            """
        #expect(FileLocks.holders(of: ["123456"], in: locks) == ["4711"])
        #expect(FileLocks.holders(of: ["1"], in: locks).isEmpty)
    }

    @Test func `missing thumbnail tools are warnings`() {
        func level(_ tools: ThumbnailTools) -> Finding.Level? {
            MachineExamination(tools: tools, watchLimit: nil).findings.first?.level
        }
        #expect(level(.installed(ffmpeg: true)) == .ok)
        for tools: ThumbnailTools in [.installed(ffmpeg: false), .lacksProgram, .lacksLibrary, .failed("x")] {
            #expect(level(tools) == .warning)
        }
        let watch = MachineExamination(tools: .lacksProgram, watchLimit: 8192).findings.last
        #expect(watch?.check == "watch" && watch?.detail.contains("8192") == true)
    }

    @Test func `a line has the level, the check, the detail and the remedy, as of the server's doctor`() {
        #expect(Finding("disk", .ok, "enough space").text == "ok       disk         enough space")
        #expect(
            Finding("clock", .problem, "behind", remedy: "Set the clock").text
                == "PROBLEM  clock        behind. Set the clock")
        #expect(Finding("storage", .warning, "Full.", remedy: "Delete").text.hasSuffix(" Full. Delete"))
    }
}
