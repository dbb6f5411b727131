import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

/// Photos whose description is uncertain or missing are hidden in doubt.
struct HiddenPhotoTests {
    @Test("a photo with several descriptions is hidden if one of them says so", arguments: [true, false])
    func ambiguous(isHidden: Bool) throws {
        var export = TakeoutExportTests.Export()
        let year = "Takeout/Google Photos/Photos from 2023"
        export.add("\(year)/a.jpg")
        for (number, isLocked) in [false, isHidden].enumerated() {
            let members = #""inLockedFolder":\#(isLocked),"#
            export.add("\(year)/a-\(number).json", json: TakeoutJSON.photo("a.jpg", taken: 1_688_212_800, members))
        }
        let read = try export.read()
        #expect(read.findings.ambiguous == ["\(year)/a.jpg"])
        #expect(read.items.map(\.isHidden) == [isHidden])
    }

    @Test(
        "a photo without a description is hidden in the archive and in the locked folder",
        arguments: [("Archive", true), ("locked folder", true), ("Photos from 2023", false), ("Trip", false)])
    func folders(name: String, isHidden: Bool) throws {
        var export = TakeoutExportTests.Export()
        export.addPhoto("Takeout/Google Photos/\(name)/a.jpg")
        export.add("Takeout/Google Photos/\(name)/b.jpg")
        #expect(try export.read().items.map(\.isHidden) == [false, isHidden])
    }

    @Test("of two photos of iCloud with one name, both are hidden if one is")
    func sameNames() throws {
        var export = ICloudFixture()
        export.add("Photos", ["a.jpg": 10, "a(1).jpg": 11])
        export.describe(
            "Photos",
            ["no,yes,no", "no,no,no"].map { ICloudCSV.row("a.jpg", "July 8,2017 5:24 PM", $0) })
        #expect(try export.read().items.map(\.isHidden) == [true, true])
    }
}
