import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

@Suite("The profile folder") struct ProfileDirectoryTests {
    @Test("a device chooses its ID once and stores it")
    func keptIdentity() async throws {
        try await ClientFixture.with { fixture in
            let first = try ProfileDirectory(fixture.folder).device()
            #expect(try ProfileDirectory(fixture.folder).device() == first)
            let renamed = try ProfileDirectory(fixture.folder).device(name: "Bob's laptop")
            #expect(renamed.id == first.id)
            #expect(try ProfileDirectory(fixture.folder).device() == renamed)
        }
    }

    @Test("sixteen concurrent starts share one device ID")
    func race() async throws {
        try await ClientFixture.with { fixture in
            let folder = fixture.folder
            let ids = try await withThrowingTaskGroup(of: DeviceID.self) { group in
                for _ in 0..<16 { group.addTask { try ProfileDirectory(folder).device().id } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
    }

    @Test("a link of this user to the folder is followed, and one that leads nowhere is called so")
    func link() async throws {
        try await ClientFixture.with { fixture in
            let link = fixture.folder.deletingLastPathComponent().appendingPathComponent("\(UUID())")
            defer { try? FileManager.default.removeItem(at: link) }
            let device = try ProfileDirectory(fixture.folder).device()
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: fixture.folder)
            #expect(try ProfileDirectory(link).device() == device)
            chmod(fixture.folder.path, 0o755)
            #expect(throws: PhotolalaError.self) { try ProfileDirectory(link) }
            #expect(try ProfileDirectory.restrictAccess(to: link).count == 1)
            _ = try ProfileDirectory(link)
            try FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere/at/all")
            let error = #expect(throws: PhotolalaError.self) { try ProfileDirectory(link) }
            #expect(error?.detail == "\(link.path) is a link that leads nowhere.")
        }
    }

    @Test("the machine's name is truncated to the server's limit without splitting a character")
    func longName() {
        #expect(ProfileDirectory.cut("laptop") == "laptop")
        #expect(ProfileDirectory.cut(String(repeating: "x", count: 300)).count == 100)
        let accented = String(repeating: "e\u{301}", count: 60)
        #expect(ProfileDirectory.cut("x" + accented) == "x" + String(repeating: "e\u{301}", count: 49))
    }

    @Test("library state elsewhere is in a subfolder, and only that is removed with the profile")
    func libraryState() async throws {
        try await ClientFixture.with { shared in
            try await ClientFixture.with { own in
                let files = FileManager.default
                let container = own.folder.appendingPathComponent("Application Support")
                let document = container.appendingPathComponent("library/document.txt")
                try files.createDirectory(
                    at: document.deletingLastPathComponent(), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o755])
                try Data("text".utf8).write(to: document)
                let profile = try ProfileDirectory(shared.folder, libraryState: container)
                #expect(profile.libraryStateFolder == container.appendingPathComponent("photolala-library").path)
                #expect(files.fileExists(atPath: profile.libraryStateFolder))
                try Data("state".utf8).write(to: URL(fileURLWithPath: "\(profile.libraryStateFolder)/backup.csv"))
                try profile.removeContents()
                #expect(try files.contentsOfDirectory(atPath: container.path) == ["library"])
                #expect(try Data(contentsOf: document) == Data("text".utf8))
                try profile.removeContents()
            }
        }
    }

    @Test("two folders are two devices")
    func two() async throws {
        try await ClientFixture.with { one in
            try await ClientFixture.with { other in
                let first = try ProfileDirectory(one.folder).device().id
                let second = try ProfileDirectory(other.folder).device().id
                #expect(first != second)
            }
        }
    }

    @Test("a damaged device file is an error and does not create a new device")
    func damaged() async throws {
        try await ClientFixture.with { fixture in
            _ = try ProfileDirectory(fixture.folder).device()
            let path = fixture.folder.appendingPathComponent("device.json")
            try Data("{".utf8).write(to: path)
            chmod(path.path, 0o600)
            await expect(.localStateUnusable) { _ = try ProfileDirectory(fixture.folder).device() }
        }
    }
}
