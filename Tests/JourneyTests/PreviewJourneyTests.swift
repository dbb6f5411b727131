import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import Subprocess
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

private let isInstalled = ["/usr/bin/vips", "/bin/vips"].contains { FileManager.default.isExecutableFile(atPath: $0) }

/// Previews through the shipped command line, made by the installed libvips.
@Suite(.enabled(if: isInstalled, "libvips-tools is not installed")) struct PreviewJourneyTests {
    /// Creates a picture that browsers do not show.
    private func picture(_ width: Int, _ name: String, in folder: URL) async throws {
        let run = try await Subprocess.run(
            .name("vips"),
            arguments: ["black", folder.appendingPathComponent(name).path, "\(width)", "200", "--bands", "3"],
            output: .discarded)
        try #require(run.terminationStatus == .exited(0))
    }

    /// The files of a server's folder, by their path below it.
    private func files(below data: URL) -> [String] {
        let all = FileManager.default.enumerator(atPath: data.appendingPathComponent("thumbnails").path)
        return (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".jpg") }.sorted()
    }

    /// Locks the file that a running command would have locked.
    private func lockedFile(below profile: URL) throws -> CInt {
        let names = FileManager.default.enumerator(atPath: profile.path)?.compactMap { $0 as? String } ?? []
        let name = try #require(names.first { $0.contains("previews/") && $0.hasSuffix(".lock") })
        let file = open(profile.appendingPathComponent(name).path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file
    }

    @Test("previews are made by a backup, and of stored photos by a command that changes nothing the second time")
    func fill() async throws {
        try await withTemporaryFolder { folder, transport in
            let (data, photos) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("photos"))
            for folder in [data, photos] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try await picture(3000, "a.tif", in: photos)
            try await picture(400, "b.tif", in: photos)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await laptop.run("backup", photos.path, "--no-thumbnails").status == 0)
            #expect(files(below: data).isEmpty)

            let made = try await laptop.run("previews", "--json")
            #expect(made.status == 0, "\(made.errors)")
            #expect(try made.json()["missing"] as? Int == 2 && made.json()["created"] as? Int == 2)
            let stored = files(below: data)
            #expect(stored.count == 4 && stored.filter { $0.contains("/previews/") }.count == 2, "\(stored)")
            let lock = try lockedFile(below: folder.appendingPathComponent("laptop"))
            let refused = try await laptop.run("previews", "--json")
            let code = try (refused.json()["error"] as? [String: Any])?["code"] as? String
            #expect(refused.status == 7 && code == "sync_under_way", "\(refused.text)")
            close(lock)
            let again = try await laptop.run("previews", "--json")
            #expect(try again.status == 0 && again.json()["missing"] as? Int == 0)

            try await picture(2500, "c.tif", in: photos)
            let backup = try await laptop.run("backup", photos.path, "--json")
            #expect(try backup.folder("previews") == 1 && backup.folder("thumbnails") == 1, "\(backup.errors)")
            try await picture(2600, "d.tif", in: photos)
            let without = try await laptop.run("backup", photos.path, "--no-previews", "--json")
            #expect(try without.folder("previews") == 0 && without.folder("thumbnails") == 1, "\(without.errors)")
            #expect(files(below: data).filter { $0.contains("/previews/") }.count == 3)

            let small = folder.appendingPathComponent("small.jpg")
            let thumbnail = try await laptop.run("thumbnail", "c.tif", "--output", small.path, "--json")
            #expect(try thumbnail.json()["bytes"] as? Int == Data(contentsOf: small).count, "\(thumbnail.errors)")
            try await OutputSchema.expectValid([("thumbnail", thumbnail.text)], in: folder)
            server.kill()
        }
    }

    @Test("a damaged thumbnail or preview is repaired by the command that the error names")
    func repaired() async throws {
        try await withTemporaryFolder { folder, transport in
            let (data, photos) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("photos"))
            for folder in [data, photos] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try await picture(3000, "a.tif", in: photos)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await laptop.run("backup", photos.path).status == 0)
            let run = try await laptop.run("credentials", "--json")
            let given = try WireJSON.decoder().decode(StorageCredentials.self, from: run.output)
            let store = S3ObjectStore.live(
                try #require(S3Settings(endpoint: given.endpoint, region: given.region, bucket: given.bucket)),
                AWSCredentials(
                    accessKeyID: given.accessKeyID, secretAccessKey: given.secretAccessKey,
                    sessionToken: given.sessionToken), transport)
            let pictures = try await store.list(prefix: given.prefixes[1], after: nil, limit: 9).objects.map(\.key)
            #expect(pictures.count == 2)
            for picture in pictures { try await store.put(picture, ByteBuffer(string: "garbage"), if: .always) }
            for kind in [["--output"], ["--preview", "--output"]] {
                let file = folder.appendingPathComponent("\(kind.count).jpg").path
                let damaged = try await laptop.run(["thumbnail", "a.tif"] + kind + [file])
                #expect(damaged.status != 0 && damaged.errors.contains("damaged"), "\(damaged.errors)")
                #expect(damaged.errors.contains("photolala previews --verify a.tif"), "\(damaged.errors)")
            }
            let repair = try await laptop.run("previews", "--verify", "a.tif")
            #expect(
                repair.text.contains("Created previews of 1 of 1 photo.\nRenewed 1 of 1 thumbnail."), "\(repair.text)")
            for kind in [["--output"], ["--preview", "--output"]] {
                let file = folder.appendingPathComponent("\(kind.count).jpg").path
                #expect(try await laptop.run(["thumbnail", "a.tif"] + kind + [file]).status == 0)
            }
            server.kill()
        }
    }
}
