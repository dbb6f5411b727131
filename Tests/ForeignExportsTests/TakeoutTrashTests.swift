import PhotolalaTesting
import Testing

@testable import ForeignExports

/// Photos in the folder of the trash, and edited versions by the account's language.
struct TakeoutTrashTests {
    private let root = "Takeout/Google Photos"

    @Test(
        "photos without a description in the folder of the trash are left out and counted, unless they are wanted",
        arguments: ["Trash", "Papierkorb", "Corbeille", "Bin", "ゴミ箱", "휴지통", "Çöp Kutusu", "Kos\u{30c}", "Trip"])
    func folder(_ name: String) throws {
        var export = TakeoutExportTests.Export()
        export.addPhoto("\(root)/Photos from 2023/a.jpg")
        export.add("\(root)/\(name)/b.jpg")
        export.addPhoto("\(root)/\(name)/c.jpg")
        let read = try export.read()
        let isTrash = name != "Trip"
        // What a description says holds.
        #expect(read.items.count == (isTrash ? 2 : 3) && read.items.contains { $0.path.name == "c.jpg" })
        #expect(read.findings.trashed == (isTrash ? 1 : 0))
        #expect(read.findings.withoutDescription.isEmpty == isTrash)
        let all = try export.read(includesTrashed: true)
        #expect(all.items.count == 3)
    }

    @Test("an album with the name of the trash is an album")
    func album() throws {
        var export = TakeoutExportTests.Export()
        export.addPhoto("\(root)/Photos from 2023/a.jpg")
        export.add("\(root)/Trash/metadata.json", json: TakeoutJSON.album("Trash"))
        export.add("\(root)/Trash/b.jpg")
        let read = try export.read()
        #expect(read.items.map(\.path.description).sorted() == ["G/2023/a.jpg", "G/Albums/Trash/b.jpg"])
        #expect(read.findings.trashed == 0)
    }

    @Test("a photo with several descriptions is in the trash if all say so", arguments: [true, false])
    func ambiguous(isTrashed: Bool) throws {
        var export = TakeoutExportTests.Export()
        let year = "\(root)/Photos from 2023"
        export.add("\(year)/a.jpg")
        for (number, isTrashed) in [true, isTrashed].enumerated() {
            let members = #""trashed":\#(isTrashed),"#
            export.add("\(year)/a-\(number).json", json: TakeoutJSON.photo("a.jpg", taken: 1_688_212_800, members))
        }
        let read = try export.read()
        #expect(read.findings.ambiguous == ["\(year)/a.jpg"])
        #expect(read.items.isEmpty == isTrashed && read.findings.trashed == (isTrashed ? 1 : 0))
    }

    @Test(
        "edited versions are found in many languages, also with the composed and decomposed forms of letters",
        arguments: [
            "-edited", "-bearbeitet", "-modifié", "-modifie\u{301}", "-ha editado", "-modificato", "-bewerkt",
            "-編集済み", "-수정됨", "-편집됨", "-已編輯", "-已编辑", "-effects",
        ])
    func edited(_ mark: String) throws {
        var export = TakeoutExportTests.Export()
        export.addPhoto("\(root)/Photos from 2023/IMG_1.jpg")
        export.add("\(root)/Photos from 2023/IMG_1\(mark).jpg")
        let read = try export.read()
        #expect(read.findings.editedVersions == 1 && read.findings.withoutDescription.isEmpty)
        #expect(read.items.count == 2 && read.items.allSatisfy { $0.taken?.seconds == 1_688_212_800 })
    }
}
