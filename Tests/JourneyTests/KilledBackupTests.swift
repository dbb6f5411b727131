import Foundation
import PhotolalaTesting
import Secrets
import Testing

/// Backups and restores that end in the middle, through the shipped command line.
@Suite(.serialized) struct KilledBackupTests {
    private func withPhotos(
        _ count: Int, _ test: (URL, CommandLineDevice) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder, transport in
            let (data, photos) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("photos"))
            for place in [data, photos] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            for number in 0..<count {
                let bytes =
                    Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(Randomness.seeded(UInt64(number)).bytes(90_000))
                try bytes.write(to: photos.appendingPathComponent("IMG_\(number).jpg"))
            }
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            try await test(folder, laptop)
            server.kill()
        }
    }

    private func bytes(in folder: String) throws -> [String: Data] {
        try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($1)"))
        }
    }

    @Test("a full disk during a restore leaves only whole files, and the next restore resumes")
    func fullDisk() async throws {
        try await withPhotos(8) { folder, laptop in
            let photos = folder.appendingPathComponent("photos").path
            let small = Data([0xff, 0xd8, 0xff, 0xe0, 0, 16, 1])
            try small.write(to: URL(fileURLWithPath: "\(photos)/small.jpg"))
            #expect(try await laptop.run("backup", photos).status == 0)
            let restored = folder.appendingPathComponent("restored").path
            // No file may grow beyond 40 KiB: the system reports this like a full disk.
            let full = try await laptop.start(["restore", "--to", restored], longestFile: 40).finish()
            #expect(full.status == 1, "\(full.errors)")
            #expect(try bytes(in: restored).allSatisfy { $0.key == "small.jpg" && $0.value == small })
            #expect(try await laptop.run("restore", "--to", restored).status == 0)
            #expect(try bytes(in: restored) == bytes(in: photos))
        }
    }

    @Test("a backup that is killed repeatedly uploads everything and remembers the files that it has read")
    func killed() async throws {
        try await withPhotos(60) { folder, laptop in
            let photos = folder.appendingPathComponent("photos").path
            for rows in [5, 25, 45] {
                let running = try laptop.start(["backup", photos])
                try await waitUntil("the journal has \(rows) rows", every: .milliseconds(2)) {
                    try !running.isRunning || journalRows(of: laptop) >= rows
                }
                running.kill()
                _ = try await running.finish()
                #expect(try journalRows(of: laptop) >= rows)
            }
            let last = try await laptop.run("backup", photos, "--json")
            #expect(last.status == 0, "\(last.errors)")
            #expect(try last.folder("libraryFiles") == 60)
            #expect(try #require(try last.folder("alreadyStoredFiles")) > 0)
            let restored = folder.appendingPathComponent("restored").path
            #expect(try await laptop.run("restore", "--to", restored).status == 0)
            #expect(try bytes(in: restored) == bytes(in: photos))
        }
    }

    /// Returns the number of lines in the device's journal, a file that another process is writing.
    private func journalRows(of device: CommandLineDevice) throws -> Int {
        let folder = device.profile.appendingPathComponent("library").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let name = names.first(where: { $0.hasSuffix(".journal") }) else { return 0 }
        return try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")).count { $0 == UInt8(ascii: "\n") }
    }
}
