import Foundation
import PhotolalaTesting
import Secrets
import Testing

/// Listing, selecting, restoring and verifying a library through the shipped command line.
@Suite(.serialized) struct ChoosingJourneyTests {
    /// A library of 12 photos, one of them part of a Live Photo, and a 12 MB video.
    private func withLibrary(_ test: (URL, CommandLineDevice) async throws -> Void) async throws {
        try await withTemporaryFolder { folder, transport in
            let (data, photos) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("photos"))
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            try PhotoFolder.make(12, in: photos)
            let movie = Data([0, 0, 0, 20]) + Data("ftypqt  ".utf8) + Data([0, 0, 0, 0]) + Data("qt  ".utf8)
            let files = [("2023/Summer/IMG_2.MOV", 50_000), ("long.mov", 12_000_000)]
            for (seed, (name, size)) in files.enumerated() {
                let bytes = movie + Data(Randomness.seeded(UInt64(100 + seed)).bytes(size))
                try bytes.write(to: photos.appendingPathComponent(name))
            }
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let backup = try await laptop.run("backup", photos.path, "--no-thumbnails", "--json")
            #expect(try backup.folder("libraryFiles") == 14, "\(backup.errors)")
            try await test(folder, laptop)
            server.kill()
        }
    }

    private func paths(_ run: CommandLineDevice.Run) throws -> [String] {
        let photos = try #require(try run.json()["photos"] as? [[String: Any]])
        return photos.compactMap { $0["path"] as? String }
    }

    @Test("photos are listed by folder, kind, name, size and date, and counted")
    func list() async throws {
        try await withLibrary { _, laptop in
            let videos = try await laptop.run("list", "--type", "video", "--sort", "size", "--reverse", "--json")
            #expect(try paths(videos) == ["long.mov", "2023/Summer/IMG_2.MOV"])
            let first = try await laptop.run(
                "list", "--larger", "10kB", "--sort", "size", "--reverse", "--limit", "1", "--json")
            #expect(try paths(first) == ["long.mov"])
            #expect(try first.json()["files"] as? Int == 14)
            let named = try await laptop.run("list", "--name", "img_1", "--json")
            #expect(try paths(named).count == 3)
            let old = try await laptop.run("list", "2023", "--until", "2020-09", "--type", "jpg", "--count", "--json")
            #expect(try old.json()["files"] as? Int == 6)
            let text = try await laptop.run("list", "Käse & ’Brot’/IMG_1.jpg")
            #expect(String(decoding: text.output, as: UTF8.self) == "2020-09-13  20 kB\tKäse & ’Brot’/IMG_1.jpg\n")
            let nothing = try await laptop.run("list", "2022", "--json")
            #expect(nothing.status == 1)
            #expect((try nothing.json()["error"] as? [String: Any])?["code"] as? String == "not_found")
        }
    }

    @Test("restoring selected photos includes their companions, and --dry-run writes nothing")
    func restore() async throws {
        try await withLibrary { folder, laptop in
            let target = folder.appendingPathComponent("some")
            let dry = try await laptop.run("restore", "--to", target.path, "--name", "IMG_2.jpg", "--dry-run", "--json")
            #expect(try dry.json()["restoredFiles"] as? Int == 2)
            #expect(!FileManager.default.fileExists(atPath: target.path))
            #expect(try await laptop.run("restore", "--to", target.path, "--name", "IMG_2.jpg").status == 0)
            #expect(
                try PhotoFolder.manifest(target).keys.sorted() == ["2023/Summer/IMG_2.MOV", "2023/Summer/IMG_2.jpg"])
            #expect(try await laptop.run("restore", "2022", "--to", target.path).status == 1)
        }
    }

    @Test("a restore killed in the middle of a video resumes it")
    func killed() async throws {
        try await withLibrary { folder, laptop in
            let target = folder.appendingPathComponent("restored")
            let running = try laptop.start(["restore", "--to", target.path, "long.mov"])
            try await waitUntil("9 MiB of the video are restored", every: .milliseconds(1)) {
                try !running.isRunning || partialBytes(in: target) >= 9 << 20
            }
            running.kill()
            _ = try await running.finish()
            #expect(try await laptop.run("restore", "--to", target.path, "long.mov").status == 0)
            #expect(try PhotoFolder.manifest(target).keys.sorted() == ["long.mov"])
            let original = folder.appendingPathComponent("photos/long.mov")
            #expect(try Data(contentsOf: target.appendingPathComponent("long.mov")) == Data(contentsOf: original))
        }
    }

    private func partialBytes(in folder: URL) throws -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard let name = names.first(where: { $0.hasSuffix(".part") }) else { return 0 }
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
        return attributes?[.size] as? Int ?? 0
    }

    @Test("verify --all finds a corrupted byte in the store, and a device that has the photo repairs it")
    func verify() async throws {
        try await withLibrary { folder, laptop in
            let sample = try await laptop.run("verify", "--sample", "5", "--json")
            #expect(sample.status == 0, "\(sample.errors)")
            #expect(try sample.json()["checkedFiles"] as? Int == 5)
            #expect(try sample.json()["wantedFiles"] as? Int == 14)
            let stored = FileManager.default.enumerator(atPath: folder.appendingPathComponent("data/photos").path)
            let files = (stored?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".dat") }.sorted()
            let bad = folder.appendingPathComponent("data/photos/\(try #require(files.first))")
            var bytes = try Data(contentsOf: bad)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: bad)

            let all = try await laptop.run("verify", "--all", "--json")
            #expect(all.status == 2)
            #expect(try all.json()["checkedFiles"] as? Int == 14)
            #expect(try all.json()["damagedFiles"] as? Int == 1)
            let photos = folder.appendingPathComponent("photos").path
            #expect(try await laptop.run("backup", "--verify", "--no-thumbnails", photos).status == 0)
            #expect(try await laptop.run("verify", "--all").status == 0)
        }
    }

    @Test("trash requires confirmation, survives backups and can be restored")
    func trash() async throws {
        try await withLibrary { folder, laptop in
            let unasked = try await laptop.run("trash", "put", "2023/Summer/IMG_2.jpg")
            #expect(unasked.status == 64)
            #expect(unasked.errors.contains("--yes"))
            let put = try await laptop.run("trash", "put", "2023/Summer/IMG_2.jpg", "--yes", "--json")
            #expect(try put.json()["files"] as? Int == 2)
            #expect(try put.json()["companionFiles"] as? Int == 1)
            let there = try await laptop.run("trash", "--json")
            #expect(try paths(there) == ["2023/Summer/IMG_2.MOV", "2023/Summer/IMG_2.jpg"])
            let photos = folder.appendingPathComponent("photos").path
            #expect(try await laptop.run("backup", photos, "--no-thumbnails").status == 0)
            #expect(try await laptop.run("list", "--count", "--json").json()["files"] as? Int == 12)
            let text = try await laptop.run("trash", "list")
            #expect(String(decoding: text.output, as: UTF8.self).contains("30 days left"))
            #expect(try await laptop.run("trash", "purge").status == 64)
            let purged = try await laptop.run("trash", "purge", "--yes", "--json")
            #expect(purged.status == 0, "\(purged.errors)")
            #expect(try purged.json()["files"] as? Int == 0, "nothing has been in the trash for 30 days")
            #expect(try await laptop.run("trash", "restore", "IMG_2.jpg").status == 1)
            #expect(try await laptop.run("trash", "restore", "--all", "--json").json()["files"] as? Int == 2)
            #expect(try await laptop.run("list", "--count", "--json").json()["files"] as? Int == 14)
        }
    }
}
