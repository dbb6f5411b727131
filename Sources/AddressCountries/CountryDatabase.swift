import Foundation
import PhotolalaAPI
import Transport

/// A file in the MaxMind DB format with the countries of IP addresses, such as GeoLite2 Country, DB-IP Lite or IPinfo
/// Lite. It is read once and kept in memory.
package struct CountryDatabase: Sendable {
    /// The largest file in bytes.
    package static let maximumSize = 256 << 20

    /// The kind that the file names, such as `GeoLite2-Country`; `nil` for what is no short name.
    package let kind: String?

    private let tree: SearchTree
    private let records: RecordValues
    private let bytes: [UInt8]

    /// What stands before the metadata, which is at most 128 KiB long.
    private static let marker = [0xab, 0xcd, 0xef] + [UInt8]("MaxMind.com".utf8)
    private static let longestMetadata = 128 << 10
    /// The zeros between the search tree and the records.
    private static let separator = 16
    /// The nodes and records that are searched for one with a country.
    private static let mostSearched = 1000

    /// Reads a file.
    package init(path: String) throws(CountryDatabaseError) {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
            attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int
        else { throw .unreadable }
        guard size <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        guard let data = try? Data(contentsOf: url) else { throw .unreadable }
        try self.init([UInt8](data))
    }

    /// Reads the content of a file. Malformed records are not found here: they name no country.
    package init(_ bytes: [UInt8]) throws(CountryDatabaseError) {
        guard bytes.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        guard let end = Self.metadata(of: bytes) else { throw .otherFormat }
        let start = end + Self.marker.count
        let metadata = RecordValues(bytes, in: start..<bytes.count)
        let number = { (key: StaticString) in metadata.member(key, ofMapAt: start).flatMap(metadata.number(at:)) }
        guard let version = number("binary_format_major_version") else { throw .damaged }
        guard version == 2 else { throw .otherVersion(version) }
        guard let nodes = number("node_count"), let recordSize = number("record_size"),
            let addressVersion = number("ip_version"),
            let tree = SearchTree(bytes, nodes: nodes, recordSize: recordSize, addressVersion: addressVersion),
            tree.size + Self.separator <= end
        else { throw .damaged }
        let kind = metadata.member("database_type", ofMapAt: start).flatMap(metadata.text(at:))
        let isName = kind.map { $0.count <= 100 && bytes[$0].allSatisfy { (0x21...0x7e).contains($0) } } ?? false
        self.kind = isName ? kind.map { String(decoding: bytes[$0], as: UTF8.self) } : nil
        self.tree = tree
        records = RecordValues(bytes, in: tree.size + Self.separator..<end)
        self.bytes = bytes
        let hasCountries = tree.records(limit: Self.mostSearched).contains { country(inRecord: $0) != nil }
        guard hasCountries else { throw .noCountries }
    }

    /// Returns the country of an address, or `nil` if the file has none. About a microsecond.
    package func country(of address: IPAddress) -> CountryCode? {
        tree.record(of: address).flatMap(country(inRecord:))
    }

    /// - Parameter record: its offset from the separator, as the tree has it.
    private func country(inRecord record: Int) -> CountryCode? {
        let record = tree.size + record
        if let country = records.member("country", ofMapAt: record) {
            if let code = records.member("iso_code", ofMapAt: country) { return self.code(at: code) }
            if let code = code(at: country) { return code }
        }
        return records.member("country_code", ofMapAt: record).flatMap(code(at:))
    }

    private func code(at position: Int) -> CountryCode? {
        guard let text = records.text(at: position), text.count == 2 else { return nil }
        let code = String(decoding: bytes[text], as: UTF8.self)
        // Some files have it where they know no country.
        return code == "ZZ" ? nil : CountryCode(code)
    }

    /// Returns the position of the last marker.
    private static func metadata(of bytes: [UInt8]) -> Int? {
        let first = max(0, bytes.count - longestMetadata - marker.count)
        var position = bytes.count - marker.count
        while position >= first {
            if bytes[position] == marker[0], bytes[position..<position + marker.count].elementsEqual(marker) {
                return position
            }
            position -= 1
        }
        return nil
    }
}
