import Foundation
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

@Suite("The sources of the SDK") struct PhotoSourceConformanceTests {
    private static let live: [String: [UInt8]] = [
        "photo": PhotoBytes.jpeg(1), "video": PhotoBytes.jpeg(2, length: 5_000),
    ]

    private static var asset: PhotoAsset {
        PhotoAsset(
            id: "1",
            resources: [
                PhotoResource(id: "photo", kind: .photo, name: "IMG_1.JPG", modified: .distantPast),
                PhotoResource(id: "video", kind: .pairedVideo, name: "IMG_1.MOV", modified: .distantPast, size: 5_002),
            ])
    }

    @Test("a fake source conforms", arguments: PhotoSourceConformance.cases)
    func fake(requirement: PhotoSourceConformance.Case) async throws {
        let source = FakePhotoSource()
        source.put(Self.asset, Self.live)
        try await requirement.check(source, has: ["1": Self.live])
    }

    @Test("streams conform", arguments: PhotoSourceConformance.cases)
    func streams(requirement: PhotoSourceConformance.Case) async throws {
        let source = StreamSource(id: "streams", assets: [Self.asset]) { resource, _ in
            let bytes = Self.live[resource.id] ?? []
            return AsyncThrowingStream {
                $0.yield(Data(bytes.prefix(100)))
                $0.yield(Data(bytes.dropFirst(100)))
                $0.finish()
            }
        }
        try await requirement.check(source, has: ["1": Self.live])
    }

    @Test("a folder conforms", arguments: PhotoSourceConformance.cases)
    func folder(requirement: PhotoSourceConformance.Case) async throws {
        let (folder, movie) = (try TemporaryFolder(), MovieBytes.movie(MovieBytes.mvhd(3_000_000_000)))
        try folder.write("a/IMG_1.JPG", PhotoBytes.jpeg(1, length: 2_000_000))
        try folder.write("a/IMG_1.MOV", movie)
        try folder.write("b.jpg", PhotoBytes.jpeg(3))
        try await requirement.check(
            FolderSource(URL(fileURLWithPath: folder.path)),
            has: [
                "a/IMG_1.JPG": ["a/IMG_1.JPG": PhotoBytes.jpeg(1, length: 2_000_000), "a/IMG_1.MOV": movie],
                "b.jpg": ["b.jpg": PhotoBytes.jpeg(3)],
            ])
    }

    @Test("a folder pairs Live Photos and edited photos by their names")
    func pairs() async throws {
        let folder = try TemporaryFolder()
        try folder.write("IMG_1.JPG", PhotoBytes.jpeg(1))
        try folder.write("IMG_1.MOV", MovieBytes.movie(MovieBytes.mvhd(3_000_000_000)))
        try folder.write("IMG_E1.JPG", PhotoBytes.jpeg(2))
        try folder.write("IMG_1.AAE", Array("<plist/>".utf8))
        let source = FolderSource(URL(fileURLWithPath: folder.path))
        let asset = try #require(try await source.assets(withIDs: ["IMG_1.JPG"]).first)
        #expect(asset.isLivePhoto && asset.isEdited)
        #expect(asset.resources.map(\.kind) == [.photo, .adjustments, .pairedVideo, .editedPhoto])
    }
}
