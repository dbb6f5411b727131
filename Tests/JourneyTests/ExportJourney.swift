import Foundation
import PhotolalaTesting
import Testing
import Transport

/// A server with an account that has photos, and Bob's device.
struct ExportJourney {
    let folder: URL
    let photos: URL
    let server: ServerProcess
    let laptop: CommandLineDevice

    /// Runs a test on a new journey, and stops its server.
    static func run(photos count: Int, _ test: (ExportJourney) async throws -> Void) async throws {
        try await withTemporaryFolder { folder, transport in
            let journey = try await ExportJourney(in: folder, transport, photos: count)
            defer { journey.server.kill() }
            try await test(journey)
            #expect(journey.server.stop() == 0)
        }
    }

    private init(in folder: URL, _ transport: AsyncHTTPTransport, photos count: Int) async throws {
        self.folder = folder
        photos = folder.appendingPathComponent("photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        try PhotoFolder.make(count, in: photos)
        let data = folder.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        server = try await ServerProcess(data: data, transport: transport)
        laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
        #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
        #expect(try await laptop.run("backup", photos.path, "--no-thumbnails").status == 0)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Extracts an archive and runs its own script on it, with the keys that the server publishes.
    func verify(_ archive: String) async throws -> (status: Int32, output: String) {
        let extracted = path("extracted-\(UUID().uuidString)")
        let unzipped = try await ChildProcess.run(
            URL(filePath: "/usr/bin/unzip"), ["-q", archive, "-d", extracted],
            environment: ["LC_ALL": "C.UTF-8"])
        #expect(unzipped.status == 0, "\(unzipped.output)")
        let keys = path("keys.json")
        let address = try #require(URL(string: "\(server.address)/.well-known/erasure-keys.json"))
        try Data(contentsOf: address).write(to: URL(filePath: keys))
        return try await ChildProcess.run(
            URL(filePath: "/usr/bin/python3"), ["\(extracted)/verify-export", archive, "--keys", keys])
    }

    /// Returns the files of an archive with their content, without the signature, which is random.
    func content(_ archive: String) async throws -> String {
        let script = """
            import hashlib, sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as archive:
                for name in archive.namelist():
                    if name != "manifest.jws":
                        print(name, hashlib.sha256(archive.read(name)).hexdigest())
            """
        let read = try await ChildProcess.run(URL(filePath: "/usr/bin/python3"), ["-c", script, archive])
        #expect(read.status == 0, "\(read.output)")
        return read.output
    }
}
