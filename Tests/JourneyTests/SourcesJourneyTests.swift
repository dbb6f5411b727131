import Foundation
import PhotolalaTesting
import Secrets
import Testing

/// Choosing what is backed up, and to which folder of the library, through the shipped command line.
@Suite struct SourcesJourneyTests {
    private func write(_ names: String..., in folder: URL) throws {
        for name in names {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(PhotoBytes.jpeg(folder.path.utf8.count + name.utf8.count)).write(to: file)
        }
    }

    private func paths(_ device: CommandLineDevice) async throws -> [String] {
        let photos = try #require(try await device.run("list", "--json").json()["photos"] as? [[String: Any]])
        return photos.compactMap { $0["path"] as? String }
    }

    @Test("two cameras with the same names, single files, a list, patterns, and one bad source among good ones")
    func sources() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let (old, new) = (folder.appendingPathComponent("old"), folder.appendingPathComponent("newer"))
            try write("IMG_1.JPG", "@eaDir/IMG_1.JPG", in: old)
            try write("IMG_1.JPG", "IMG_2.JPG", "raw/IMG_3.JPG", "scan.jpg", in: new)
            func backUp(_ arguments: String..., status: Int32 = 0) async throws -> CommandLineDevice.Run {
                let run = try await laptop.run(["backup", "--no-thumbnails"] + arguments)
                #expect(run.status == status, "\(run.text) \(run.errors)")
                return run
            }

            let gone = folder.appendingPathComponent("gone").path
            let both = try await backUp(
                old.path, gone, new.path, "--by-name", "--into", "Cameras", "--exclude", "RAW/", status: 2)
            #expect(both.errors.contains("no such file or folder: \(gone)"))
            #expect(both.text.contains("\(old.path) into Cameras/old: Uploaded 1 of 1 file"))
            let cameras = ["newer/IMG_1.JPG", "newer/IMG_2.JPG", "newer/scan.jpg", "old/IMG_1.JPG"]
            #expect(try await paths(laptop) == cameras.map { "Cameras/\($0)" })
            let status = try await laptop.run("status", new.path, "--into", "Cameras/newer", "--json")
            #expect(try status.json()["waitingFiles"] as? Int == 1)

            let single = try await backUp(new.path + "/raw/IMG_3.JPG", old.path + "/gone.jpg", "--into", "x", status: 2)
            #expect(single.text.contains("Uploaded 1 of 1 file"))
            let list = folder.appendingPathComponent("list")
            try Data("\(new.path)/raw/IMG_3.JPG\nIMG_9.JPG\n".utf8).write(to: list)
            let listed = try await backUp(new.path, "--files-from", list.path, status: 2)
            #expect(listed.text.contains("  IMG_9.JPG: no such file or folder"))
            #expect(try await paths(laptop) == cameras.map { "Cameras/\($0)" } + ["raw/IMG_3.JPG", "x/IMG_3.JPG"])

            #expect(try await laptop.run("backup", old.path, "--into", "../x").status == 64)
            let same = folder.appendingPathComponent("in/old")
            try write("IMG_1.JPG", in: same)
            #expect(try await backUp(old.path, same.path, "--by-name", status: 64).errors.contains("named old"))
            server.kill()
        }
    }
}
