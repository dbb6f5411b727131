import Foundation
import Testing

@testable import PhotolalaClient

@Suite("Resources that PhotoKit reports") struct PhotoKitResourcesTests {
    private static let created = Date(timeIntervalSince1970: 1_000)
    private static let modified = Date(timeIntervalSince1970: 2_000)

    @Test("originals and edited versions are backed up, and only edits change with the asset")
    func kinds() {
        let reported = [
            (1, "IMG_1.HEIC"), (9, "IMG_1.MOV"), (5, "FullSizeRender.heic"), (10, "FullSizeRender.mov"),
            (7, "Adjustments.plist"), (8, "IMG_1.HEIC"), (19, "proxy"), (4, "IMG_1.DNG"), (4, "IMG_1.JPG"),
        ]
        .map { PhotoKitResources.Reported(type: $0.0, name: $0.1) }
        let found = PhotoKitResources.resources(reported, created: Self.created, modified: Self.modified)
        #expect(found.map(\.id) == ["1", "9", "5", "10", "7", "4", "4-1"])
        #expect(
            found.map(\.kind) == [
                .photo, .pairedVideo, .editedPhoto, .editedPairedVideo, .adjustments, .alternatePhoto, .alternatePhoto,
            ])
        #expect(found.map { $0.modified == Self.modified } == [false, false, true, true, true, false, false])
        #expect(found.map { PhotoKitResources.kind(ofID: $0.id) } == found.map(\.kind))
        #expect(PhotoKitResources.kind(ofID: "8") == nil && PhotoKitResources.kind(ofID: "x") == nil)
        #expect(found[4].name == "IMG_1.AAE" && found[2].name == "FullSizeRender.heic")
    }
}
