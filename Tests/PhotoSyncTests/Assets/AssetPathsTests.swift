import PhotoCatalog
import Testing

@testable import PhotoSync

@Suite("Paths of assets") struct AssetPathsTests {
    private static let taken = Timestamp(seconds: 1_715_680_951, nanoseconds: 0)

    private func paths(
        _ names: [(name: String, isEdited: Bool)], id: String = "local", stableID: String = "cloud",
        created: Timestamp? = taken
    ) -> [String] {
        let resources = names.enumerated().map { index, name in
            SourceResource(
                id: "\(index)", name: name.name, path: nil, isEdited: name.isEdited, modified: Self.taken, size: nil)
        }
        let paths = AssetPaths.paths(
            of: SourceAsset(id: id, stableID: stableID, created: created, resources: resources))
        return names.indices.compactMap { paths["\($0)"]?.description }
    }

    @Test("the files of an asset have the month, the original name, and digits of the stable ID")
    func names() {
        #expect(
            paths([
                ("IMG_0001.HEIC", false), ("IMG_0001.MOV", false), ("FullSizeRender.jpg", true),
                ("FullSizeRender.mov", true), ("IMG_0001.AAE", false),
            ]) == [
                "2024/05/IMG_0001 (a1234b3161b4).HEIC", "2024/05/IMG_0001 (a1234b3161b4).MOV",
                "2024/05/IMG_0001 (a1234b3161b4 edited).jpg", "2024/05/IMG_0001 (a1234b3161b4 edited).mov",
                "2024/05/IMG_0001 (a1234b3161b4).AAE",
            ])
    }

    @Test("all devices compute the same path, and other assets of the same name have other paths")
    func stable() {
        let name = [(name: "IMG_0001.HEIC", isEdited: false)]
        #expect(paths(name, id: "one device") == paths(name, id: "another device"))
        #expect(paths(name) != paths(name, stableID: "cloud 2"))
        #expect(paths(name, created: nil) == ["undated/IMG_0001 (a1234b3161b4).HEIC"])
    }

    @Test("files of one asset with one name get different paths")
    func sameNames() {
        #expect(
            paths([("a.jpg", false), ("a.jpg", false), ("a.jpg", false)]) == [
                "2024/05/a (a1234b3161b4).jpg", "2024/05/a (a1234b3161b4 2).jpg", "2024/05/a (a1234b3161b4 3).jpg",
            ])
    }

    @Test(
        "any name gives a valid path below the month",
        arguments: ["", ".", "..", "/", "../../etc/passwd", ".photolala", "a\0b", ".jpg", "no extension"]
            + [String(repeating: "é", count: 400) + ".jpg", "a." + String(repeating: "b", count: 400)])
    func hostileNames(name: String) throws {
        let path = try #require(paths([(name, false)]).first)
        #expect(path.hasPrefix("2024/05/") && path.split(separator: "/").count == 3)
        #expect(path.contains("(a1234b3161b4)"))
    }

    @Test("the files of an edited Live Photo are one group, and a photo with similar digits is another one")
    func groups() throws {
        let names = paths([
            ("IMG_0001.HEIC", false), ("IMG_0001.MOV", false), ("FullSizeRender.heic", true),
            ("FullSizeRender.mov", true), ("IMG_0001.AAE", false),
        ])
        let types: [MediaType] = [.heic, .quickTime, .heic, .quickTime, .appleEdits]
        let files = try zip(names, types).map { (path: try #require(LibraryPath($0)), type: $1) }
        let (groups, strays) = MediaGroup.groups(of: files)
        #expect(groups.count == 1 && strays.isEmpty)
        #expect(groups.first?.primary.description == names[0] && groups.first?.companions.count == 4)
        let other = (path: try #require(LibraryPath("2024/05/IMG_0001 (cafe edited).HEIC")), type: MediaType.heic)
        #expect(MediaGroup.groups(of: files + [other]).groups.count == 2)
    }
}
