import Testing

@testable import PhotoCatalog

struct MediaGroupTests {
    /// Groups as `primary companions`, and strays after a dash; types by file extension.
    private func groups(_ names: [String]) -> [String] {
        let kinds: [String: MediaType] = [
            "heic": .heic, "jpg": .jpeg, "jpeg": .jpeg, "mov": .quickTime, "mp4": .mp4, "png": .png, "dng": .adobeDNG,
            "xmp": .xmp, "aae": .appleEdits, "json": .takeoutDescription,
        ]
        let files = names.compactMap { name in
            LibraryPath(name).flatMap { path in
                kinds[name.lowercased().split(separator: ".").last.map(String.init) ?? ""].map { (path, $0) }
            }
        }
        let (groups, strays) = MediaGroup.groups(of: files)
        return groups.map { ([$0.primary] + $0.companions).map(\.description).joined(separator: " ") }
            + strays.map { "- \($0)" }
    }

    @Test("the halves of a Live Photo, edits and sidecars are grouped")
    func livePhoto() {
        #expect(
            groups([
                "IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.HEIC", "IMG_E1.MOV", "IMG_1.AAE", "IMG_O1.AAE", "IMG_2.HEIC",
            ]) == ["IMG_1.HEIC IMG_1.AAE IMG_1.MOV IMG_E1.HEIC IMG_E1.MOV IMG_O1.AAE", "IMG_2.HEIC"])
    }

    @Test("a RAW picture is grouped with the developed one, with sidecars named after either")
    func raw() {
        #expect(groups(["a.dng", "a.jpg", "a.dng.xmp", "a.xmp"]) == ["a.jpg a.dng a.dng.xmp a.xmp"])
        #expect(groups(["b.dng", "b.xmp"]) == ["b.dng b.xmp"])
    }

    @Test("photos that only share a name are not grouped")
    func strangers() {
        #expect(groups(["a.jpg", "a.png"]) == ["a.jpg", "a.png"])
        #expect(groups(["a.jpeg", "a.jpg", "a.mov"]) == ["a.jpeg a.mov", "a.jpg"])
        #expect(groups(["a.mov", "a.mp4"]) == ["a.mov", "a.mp4"])
        #expect(groups(["x/a.heic", "y/a.mov"]) == ["x/a.heic", "y/a.mov"])
        // Two folders on file systems that distinguish the spellings.
        #expect(groups(["cafe\u{301}/a.mov", "caf\u{e9}/a.heic"]).count == 2)
        #expect(groups(["a.png", "a.xmp"]) == ["a.png a.xmp"])
    }

    @Test("a sidecar without a photo is a stray")
    func strays() {
        #expect(groups(["a.jpg", "b.xmp", "c/a.xmp", "d.json"]) == ["a.jpg", "- b.xmp", "- c/a.xmp", "- d.json"])
        #expect(groups(["package.json", "package.jpg"]) == ["package.jpg", "- package.json"])
    }

    @Test("Google Takeout descriptions are found under all their names")
    func takeout() {
        #expect(groups(["a.jpg", "a.jpg.json"]) == ["a.jpg a.jpg.json"])
        #expect(groups(["a.jpg", "a.jpg.supplemental-metadata.json"]) == ["a.jpg a.jpg.supplemental-metadata.json"])
        #expect(groups(["a.jpg", "a.jpg.suppl.json"]) == ["a.jpg a.jpg.suppl.json"])
        #expect(
            groups(["a.jpg", "a(1).jpg", "a.jpg.json", "a.jpg(1).json"])
                == ["a(1).jpg a.jpg(1).json", "a.jpg a.jpg.json"])
        let long = String(repeating: "n", count: 60)
        #expect(groups(["\(long).jpg", "\(long.prefix(46)).json"]) == ["\(long).jpg \(long.prefix(46)).json"])
    }

    @Test("each file is in exactly one group or a stray")
    func partition() {
        let names = [
            "a.heic", "a.mov", "A.MOV", "cafe\u{301}.heic", "caf\u{e9}.heic", "caf\u{e9}.xmp", "IMG_E.jpg", ".xmp",
        ]
        let all = groups(names).flatMap { $0.split(separator: " ") }.filter { $0 != "-" }
        #expect(all.count == names.count)
    }
}
