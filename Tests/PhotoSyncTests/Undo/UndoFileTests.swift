import Foundation
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("The record of the last change to the trash") struct UndoFileTests {
    private let folder: TemporaryFolder
    private let carol = UserID(uuid: UUID(uuidString: "00000000-0000-4000-8000-0000000ca201") ?? UUID())

    init() throws { folder = try TemporaryFolder() }

    private func file(_ user: UserID = .bob) -> UndoFile {
        UndoFile(stateFolder: folder.subpath("state"), user: user) { UndoFixture.moment }
    }

    private func change(_ count: Int = 2, _ command: TrashChange.Command = .trash) throws -> TrashChange {
        let changes = try (0..<count).map { number in
            CatalogChange.trash(
                try #require(LibraryPath("2024/summer holidays/IMG_\(number).jpg")),
                ContentDigest(high: UInt64(number), low: 7))
        }
        return TrashChange(command, Catalog(changes, after: 40, by: DeviceTag(value: 5), trashed: 1))
    }

    @Test("a change is read as it was recorded, until another one replaces it or it is removed")
    func roundTrip() async throws {
        #expect(try await file().read().isEmpty)
        for command in TrashChange.Command.allCases {
            #expect(await file().record(try change(2, command), onto: Catalog()) == .recorded)
            let read = try #require(try await file().read().first)
            #expect(read.change == (try change(2, command)) && read.date == UndoFixture.moment)
        }
        #expect(await file().remove())
        #expect(try await file().read().isEmpty)
        #expect(await file().remove())
    }

    @Test("the change of one account is not read for another one, not even from a copied file")
    func accounts() async throws {
        #expect(await file().record(try change(), onto: Catalog()) == .recorded)
        #expect(try await file(carol).read().isEmpty)
        try FileManager.default.copyItem(atPath: file().path, toPath: file(carol).path)
        await #expect(throws: UndoFileError.damaged) { try await file(carol).read() }
    }

    @Test("a file with any byte changed, cut or appended is damaged")
    func damaged() async throws {
        #expect(await file().record(try change(1), onto: Catalog()) == .recorded)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file().path)))
        let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        var damages = [[], Array(bytes.dropLast()), bytes + [10], Array(bytes[..<end]), Array(bytes[(end + 1)...])]
        for index in [1, end, end + 1, bytes.count - 3] {
            var changed = bytes
            changed[index] ^= 1
            damages.append(changed)
        }
        for damage in damages {
            try Data(damage).write(to: URL(fileURLWithPath: file().path))
            await #expect(throws: UndoFileError.damaged) { try await file().read() }
        }
    }

    @Test("a file of a newer version is not used")
    func newerVersion() async throws {
        #expect(await file().record(try change(1), onto: Catalog()) == .recorded)
        let text = try String(contentsOfFile: file().path, encoding: .utf8)
        let newer = text.replacing("\"format\":1", with: "\"format\":2")
        #expect(newer != text)
        try newer.write(toFile: file().path, atomically: true, encoding: .utf8)
        await #expect(throws: UndoFileError.damaged) { try await file().read() }
    }

    @Test("a change that cannot be recorded is reported; an older record is removed, or reported if that is impossible")
    func unwritable() async throws {
        // A file has the name of the state folder.
        try folder.write("state", [1])
        #expect(await file().record(try change(), onto: Catalog()) == .notRecorded)
        try FileManager.default.removeItem(atPath: folder.subpath("state"))
        // A folder has the name of the record, or of its new version.
        try folder.write("state/undo-\(UserID.bob)/x", [1])
        #expect(await file().record(try change(), onto: Catalog()) == .outdated)
        await #expect(throws: UndoFileError.self) { try await file().read() }
        try FileManager.default.removeItem(atPath: file().path)
        #expect(await file().record(try change(), onto: Catalog()) == .recorded)
        try folder.write("state/undo-\(UserID.bob).part/x", [1])
        #expect(await file().record(try change(3), onto: Catalog()) == .notRecorded)
        #expect(try await file().read().isEmpty)
    }

    @Test("nothing is moved while an older record would remain, and an unrecorded change is made")
    func commands() async throws {
        let fixture = try await UndoFixture()
        try fixture.laptop.state.write("undo-\(UserID.bob).part/x", [1])
        #expect(try await !fixture.trash().moveToTrash(fixture.at("b.jpg")).summary.isUndoable)
        #expect(try await fixture.trashed() == ["b.jpg"])
        try fixture.laptop.state.write("undo-\(UserID.bob)/x", [1])
        await #expect(throws: SelectionError.catalog(.notRecorded)) {
            _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
        }
        #expect(try await fixture.trashed() == ["b.jpg"])
    }

    @Test("a change of 100,000 photos takes less than 20 MB on disk and is read again")
    func large() async throws {
        let change = try change(100_000)
        #expect(await file().record(change, onto: Catalog()) == .recorded)
        let size = try FileManager.default.attributesOfItem(atPath: file().path)[.size] as? Int
        #expect(try #require(size) < 20_000_000)
        #expect(try #require(try await file().read().first).change == change)
    }
}
