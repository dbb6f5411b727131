import Foundation
import NIOCore
import PhotoCatalog

/// A library of one photo per entry, taken with 40 cameras, that is searched.
struct SearchedPhotos {
    private let entries: CatalogEntries
    private let timeline: Timeline
    private static let header =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude,color,"
        + "duration,camera\n"
    private static let vocabulary = SearchVocabulary(months: ["may": 5], kinds: [:], connectives: [])

    /// - Parameter folder: The name of a folder in all paths.
    init(count: Int, folder: String) throws {
        var text = Self.header
        for number in 0..<count {
            let (year, month) = (2000 + number * 20 / count, number % 12 + 1)
            let date = String(format: "%04d-%02d-%02dT12:00:00Z", year, month, number % 28 + 1)
            let md5 = String(format: "%032x", number + 1)
            text += "\(folder)/\(number / 500)/IMG_\(number).jpg,\(md5),5000000,\(date),\(date),image/jpeg,"
            text += ",,,1@00000001,,,,,,,Canon EOS R\(number % 40)\n"
        }
        entries = try CatalogCSV.decode(ByteBuffer(string: text)).rows.entries
        timeline = Timeline(entries)
    }

    /// Returns the milliseconds of a search at the median of `rounds`, and the number of photos found.
    func measure(_ search: String, rounds: Int) async throws -> (milliseconds: Double, found: Int) {
        var selection = PhotoSelection()
        selection.words = SearchWord.words(of: search, Self.vocabulary)
        return try await measure(selection, rounds: rounds)
    }

    /// Returns the same for the photos of one camera among those that a search finds, whose cameras are counted.
    func measure(
        _ search: String, camera: CameraName, rounds: Int
    ) async throws -> (milliseconds: Double, found: Int) {
        var selection = PhotoSelection()
        selection.words = SearchWord.words(of: search, Self.vocabulary)
        return try await measure(selection, camera: camera, rounds: rounds)
    }

    /// Returns the milliseconds at the median of `rounds` in which the most used cameras are found.
    func measureCameras(rounds: Int) -> Double {
        let times = (0..<rounds).map { _ in
            ContinuousClock().measure { precondition(entries.mostUsedCameras(8).count == 8) } / .milliseconds(1)
        }
        return times.sorted()[rounds / 2]
    }

    private func measure(
        _ selection: PhotoSelection, camera: CameraName? = nil, rounds: Int
    ) async throws -> (milliseconds: Double, found: Int) {
        var (times, found) = ([Double](), 0)
        for _ in 0..<rounds {
            let time = try await ContinuousClock().measure {
                var photos = try await timeline.selected(selection, from: entries)
                if let camera {
                    precondition(!photos.photos.mostUsedCameras(8).isEmpty)
                    photos = photos.limited(to: camera)
                }
                found = photos.photos.count
            }
            times.append(time / .milliseconds(1))
        }
        return (times.sorted()[rounds / 2], found)
    }
}
