import Foundation
import Testing

@testable import StorageGateway

/// awscli and rclone with the listening gateway and credentials issued to a user.
struct CommandLineClientTests {
    /// Runs a test in a folder with some files in `in/`, the largest of which is uploaded in parts.
    private func live(_ body: (LiveGateway, URL, [String: String]) async throws -> Void) async throws {
        try await RealClient.withFolder { folder in
            let files = folder.appending(path: "in/sub folder")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            for (name, size) in [("a.jpg", 10), ("ü+%41.dat", 100_000), ("large.bin", 12_000_000), ("empty", 0)] {
                let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
                try bytes.write(to: files.appending(path: name))
            }
            try await LiveGateway.run { gateway in
                try await gateway.fixture.put("photos/\(GatewayFixture.bob)/b.dat", "secret")
                try await body(gateway, folder, try gateway.environment(home: folder))
                #expect(try await gateway.fixture.text("photos/\(GatewayFixture.bob)/b.dat") == "secret")
            }
        }
    }

    private func expectSameFiles(_ folder: URL) throws {
        let manager = FileManager.default
        let names = try manager.contentsOfDirectory(atPath: folder.appending(path: "in/sub folder").path).sorted()
        #expect(
            try manager.contentsOfDirectory(atPath: folder.appending(path: "out/sub folder").path).sorted() == names)
        for name in names {
            let (one, two) = (
                folder.appending(path: "in/sub folder/\(name)"), folder.appending(path: "out/sub folder/\(name)")
            )
            #expect(manager.contentsEqual(atPath: one.path, andPath: two.path), "\(name)")
        }
    }

    @Test(
        "awscli syncs up and down, and is limited to own objects",
        .enabled(if: RealClient.aws != nil, "no awscli; run scripts/install-clients"))
    func awscli() async throws {
        let aws = try #require(RealClient.aws)
        try await live { gateway, folder, environment in
            func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
                try await aws.run(arguments, environment: environment, in: folder)
            }
            let own = "s3://\(GatewayFixture.bucket)/photos/\(GatewayFixture.ada)"
            let up = try await run("s3", "sync", "in", own)
            #expect(up.status == 0, "\(up.output)")
            let down = try await run("s3", "sync", own, "out")
            #expect(down.status == 0, "\(down.output)")
            try expectSameFiles(folder)
            let list = try await run("s3", "ls", "--recursive", own + "/")
            #expect(list.status == 0 && list.output.contains("large.bin"), "\(list.output)")
            let foreign = "s3://\(GatewayFixture.bucket)/photos/\(GatewayFixture.bob)"
            for arguments in [
                ["s3", "ls", foreign + "/"], ["s3", "cp", foreign + "/b.dat", "stolen"],
                ["s3", "rm", foreign + "/b.dat"],
                ["s3", "cp", "in/sub folder/large.bin", foreign + "/x"],
                ["s3", "cp", foreign + "/b.dat", own + "/b.dat"],
                ["s3", "cp", own + "/sub folder/a.jpg", own + "x/a.jpg"],
            ] {
                let outcome = try await aws.run(arguments, environment: environment, in: folder)
                #expect(
                    outcome.status != 0
                        && (outcome.output.contains("403") || outcome.output.contains("AccessDenied")),
                    "\(arguments) \(outcome.output)")
            }
            let large = ["in/sub folder/large.bin", own + "/summed.bin"]
            for algorithm in ["CRC32", "SHA256"] {
                let summed = try await aws.run(
                    ["s3", "cp"] + large + ["--checksum-algorithm", algorithm], environment: environment, in: folder)
                #expect(summed.status == 0, "\(summed.output)")
                let told = try await run(
                    "s3api", "get-object-attributes", "--bucket", GatewayFixture.bucket, "--key",
                    "photos/\(GatewayFixture.ada)/summed.bin", "--object-attributes", "Checksum", "ObjectParts")
                #expect(
                    told.output.contains("\"Checksum\(algorithm)\"") && told.output.contains("COMPOSITE"),
                    "\(told.output)")
            }
            let root = try await run("s3", "ls", "--recursive", "s3://\(GatewayFixture.bucket)")
            #expect(root.status == 0 && root.output.contains("large.bin"), "\(root.output)")
            #expect(!root.output.contains(GatewayFixture.bob.description), "\(root.output)")
            let gone = try await run("s3", "rm", "--recursive", own)
            #expect(gone.status == 0, "\(gone.output)")
            #expect(
                try await gateway.fixture.store.list(prefix: "photos/\(GatewayFixture.ada)/", after: nil, limit: 1)
                    .objects
                    .isEmpty)
        }
    }

    @Test(
        "rclone copies and checks, and is limited to own objects",
        .enabled(if: RealClient.rclone != nil, "no rclone; run scripts/install-clients"))
    func rclone() async throws {
        let rclone = try #require(RealClient.rclone)
        let flags = ["--retries", "1", "--low-level-retries", "1", "--s3-upload-cutoff", "5M", "--s3-chunk-size", "5M"]
        try await live { gateway, folder, environment in
            func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
                try await rclone.run(arguments + flags, environment: environment, in: folder)
            }
            let own = "P:\(GatewayFixture.bucket)/photos/\(GatewayFixture.ada)"
            for arguments in [["copy", "in", own], ["check", "in", own], ["copy", own, "out"]] {
                let outcome = try await rclone.run(arguments + flags, environment: environment, in: folder)
                #expect(outcome.status == 0, "\(arguments) \(outcome.output)")
            }
            try expectSameFiles(folder)
            let moved = try await run("moveto", own + "/sub folder/a.jpg", own + "/b c.jpg")
            #expect(moved.status == 0, "\(moved.output)")
            let list = try await run("lsf", "-R", own)
            #expect(list.output.contains("b c.jpg") && list.output.contains("sub folder/large.bin"), "\(list.output)")
            let foreign = "P:\(GatewayFixture.bucket)/photos/\(GatewayFixture.bob)"
            for arguments in [
                ["lsf", foreign], ["copy", foreign, "stolen"], ["copy", "in", foreign],
                ["copyto", own + "/b c.jpg", foreign + "/x"], ["copy", "in", own + "x"],
                ["deletefile", foreign + "/b.dat"],
                ["lsf", own + "x"], ["lsd", "P:"],
            ] {
                let outcome = try await rclone.run(arguments + flags, environment: environment, in: folder)
                #expect(outcome.status != 0, "\(arguments) \(outcome.output)")
            }
            let left = try await gateway.fixture.store.list(prefix: "photos/\(GatewayFixture.bob)", after: nil, limit: 10)
                .objects
            #expect(left.map(\.key.description) == ["photos/\(GatewayFixture.bob)/b.dat"])
        }
    }

    @Test(
        "rclone lists, creates folders and cleans up at the bucket's root",
        .enabled(if: RealClient.rclone != nil, "no rclone; run scripts/install-clients"))
    func rcloneRoot() async throws {
        let rclone = try #require(RealClient.rclone)
        try await live { gateway, folder, environment in
            var environment = environment
            environment["RCLONE_CONFIG_P_NO_CHECK_BUCKET"] = nil
            func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
                let flags = ["--retries", "1", "--low-level-retries", "1"]
                return try await rclone.run(arguments + flags, environment: environment, in: folder)
            }
            let (root, ada) = ("P:\(GatewayFixture.bucket)", GatewayFixture.ada)
            for (level, name) in [(root, "photos"), ("\(root)/photos", ada.description)] {
                let listed = try await run("lsd", level)
                #expect(listed.status == 0 && listed.output.contains(name), "\(listed.output)")
                #expect(!listed.output.contains(GatewayFixture.bob.description), "\(listed.output)")
            }
            let purged = try await run("purge", "\(root)/photos/\(ada)/none")
            #expect(!purged.output.contains("NotImplemented"), "\(purged.output)")
            for path in ["", "/photos/\(ada)", "/photos/\(ada)/new"] {
                let made = try await run("mkdir", root + path)
                #expect(made.status == 0, "\(path) \(made.output)")
            }
            // rclone compares the upload's age with its own clock.
            gateway.fixture.time.advance(-600)
            let begun = try await gateway.fixture.send("POST", GatewayFixture.path("left"), query: "uploads")
            gateway.fixture.time.advance(600)
            let id = try #require(begun.values("UploadId").first)
            let cleaned = try await run("cleanup", root)
            #expect(cleaned.status == 0, "\(cleaned.output)")
            #expect(
                try await gateway.fixture.send("GET", GatewayFixture.path("left"), query: "uploadId=\(id)").status == 200)
            let old = try await run("backend", "cleanup", root, "-o", "max-age=1m")
            #expect(old.status == 0, "\(old.output)")
            #expect(
                try await gateway.fixture.send("GET", GatewayFixture.path("left"), query: "uploadId=\(id)").status == 404)
        }
    }
}
