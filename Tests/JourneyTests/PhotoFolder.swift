import Foundation
import PhotolalaTesting
import Secrets

/// Folders with photos.
enum PhotoFolder {
    /// Creates files that begin like JPEGs, each with different content.
    static func make(_ count: Int, in folder: URL, size: Int = 20_000) throws {
        for number in 0..<count {
            let home = folder.appendingPathComponent(number % 2 == 0 ? "2023/Summer" : "Käse & ’Brot’")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let bytes = Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(Randomness.seeded(UInt64(number)).bytes(size))
            let file = home.appendingPathComponent("IMG_\(number).jpg")
            try bytes.write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(number))],
                ofItemAtPath: file.path
            )
        }
    }

    /// Returns path, content and date of every file below a folder.
    static func manifest(_ folder: URL) throws -> [String: [String]] {
        var files: [String: [String]] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            let file = folder.appendingPathComponent(path)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            files[path] = [try Data(contentsOf: file).base64EncodedString(), String(Int(date))]
        }
        return files
    }
}
