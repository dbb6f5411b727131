import NIOCore
import Testing

@testable import PhotoCatalog

/// The names under which photos of a timeline are found.
@Suite struct TimelineNamesTests {
    private static let (munich, tokyo, none) = ("48.15,11.58", "35.6895,139.6917", ",")
    private static let header =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude,color,"
        + "duration,camera\n"

    private static func md5(_ index: Int) -> String { String(repeating: String(index, radix: 16), count: 32) }

    /// Returns the timeline of a library with a photo for each row, one in each year before 2024.
    private func timeline(_ rows: [(place: String, camera: String, type: String)]) throws -> Timeline {
        let lines = rows.enumerated().map { index, row in
            "\(index),\(Self.md5(index)),5,\(2024 - index)-01-02T03:04:05Z,,\(row.type),,,,1@0000000a,,,\(row.place),,,"
                + "\(row.camera)\n"
        }
        let table = "\(Self.header)\(lines.joined())"
        return Timeline(try CatalogCSV.decode(ByteBuffer(string: table)).rows.entries)
    }

    private func contents(_ indices: Int...) -> Set<ContentDigest> {
        Set(indices.compactMap { ContentDigest(Self.md5($0)) })
    }

    @Test("cities and cameras have the number of their photos, the most used first, and kinds have theirs")
    func counts() async throws {
        let names = try await timeline([
            (Self.tokyo, "B", "image/jpeg"), (Self.munich, "A", "image/jpeg"), (Self.munich, "A", "video/mp4"),
            (Self.none, "", "image/jpeg"),
        ]).names(hidden: [], limit: 10)
        #expect(names.places.map(\.count) == [2, 1])
        #expect(names.places.map { $0.value.names(in: "en").first } == ["Munich", "Tokyo"])
        #expect(names.cameras.map(\.value.description) == ["A", "B"] && names.cameras.map(\.count) == [2, 1])
        #expect([.photo, .video, .raw].map { names.count(of: $0) } == [3, 1, 0])
        #expect(names.months == [2024, 2023, 2022, 2021].map { CalendarMonth(year: $0, month: 1) })
    }

    @Test("what only hidden photos have is no name, and hidden photos are counted under the names of others")
    func hidden() async throws {
        let timeline = try timeline([
            (Self.tokyo, "A", "video/mp4"), (Self.munich, "B", "image/jpeg"), (Self.munich, "B", "image/jpeg"),
        ])
        let names = try await timeline.names(hidden: contents(0, 1), limit: 10)
        #expect(names.places.map { $0.value.names(in: "en").first } == ["Munich"])
        #expect(names.places.map(\.count) == [2] && names.cameras.map(\.value.description) == ["B"])
        #expect(names.count(of: .video) == 0 && names.count(of: .photo) == 2)
        #expect(names.months.map(\.year) == [2022])
    }

    @Test("there are at most as many names of each kind as the limit, the most used and the newest")
    func limit() async throws {
        let rows = [
            (Self.tokyo, "A", "image/jpeg"), (Self.munich, "B", "image/jpeg"), (Self.munich, "B", "image/jpeg"),
        ]
        let names = try await timeline(rows).names(hidden: [], limit: 1)
        #expect(names.places.map(\.count) == [2] && names.cameras.map(\.value.description) == ["B"])
        #expect(names.months.map(\.year) == [2024])
    }
}
