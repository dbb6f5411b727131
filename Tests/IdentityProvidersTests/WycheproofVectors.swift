import Foundation
import JSONCoding
import PhotolalaTesting

/// The test vectors of C2SP/wycheproof, read from the folder of `scripts/install-vectors`.
enum WycheproofVectors {
    struct Case: Sendable {
        let id: Int
        let isValid: Bool
        let members: [String: JSONValue]
    }

    struct Group: Sendable {
        let members: [String: JSONValue]
        let cases: [Case]
    }

    private static let folder = Repository.vectors.appending(path: "wycheproof")

    static let arePresent = FileManager.default.fileExists(atPath: folder.path)

    static func groups(_ file: String) throws -> [Group] {
        let text = try Data(contentsOf: folder.appending(path: file))
        let groups = try JSONReader.read(text).object?["testGroups"]?.array ?? []
        return groups.compactMap { group in
            guard let members = group.object, let cases = members["tests"]?.array else { return nil }
            return Group(members: members, cases: cases.compactMap(testCase))
        }
    }

    private static func testCase(_ value: JSONValue) -> Case? {
        guard let members = value.object, case .number(let id) = members["tcId"], let result = members["result"]?.string
        else { return nil }
        return Case(id: Int(id), isValid: result == "valid", members: members)
    }

    static func hex(_ value: JSONValue?) -> Data? {
        guard let text = value?.string, text.utf8.count.isMultiple(of: 2) else { return nil }
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count else { return nil }
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
