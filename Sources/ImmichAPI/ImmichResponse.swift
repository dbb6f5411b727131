import ForeignExports
import JSONCoding
import NIOCore
import PhotoCatalog

/// The answers of Immich's API, as far as an import reads them.
enum ImmichResponse {
    struct Version: Decodable {
        let major: Int
        let minor: Int
        let patch: Int
    }

    struct Account: Decodable {
        let id: String
    }

    /// An album. Without `id` or `title` it is not as documented, and does not prevent the import of others.
    struct Album: Decodable {
        let id: String?
        let title: String?
        let assetCount: Int?
        let created: Timestamp?
    }

    struct Search: Decodable {
        struct Assets: Decodable {
            let items: [Item]
            let nextPage: String?
        }

        let assets: Assets
    }

    /// An asset. One that is not as documented has no `asset`, so that it does not prevent the import of others.
    struct Item: Decodable {
        /// No photo store accepts larger files, in bytes.
        static let largestFile: Int64 = 5 << 40

        let asset: ImmichAsset?
        /// The name or id of the asset, for a report.
        let label: String
        /// Distinguishes assets that are not as documented.
        let key: String
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: ByteBuffer, of request: ImmichServer.Request
    ) throws(ImmichError) -> Value {
        do {
            return try CompactJSON.decode(type, from: Array(bytes.readableBytesView))
        } catch {
            throw .malformed(request: request.path)
        }
    }

    /// Returns a UUID in lowercase; `nil` for any other text, which could be part of another path.
    static func id(_ text: String?) -> String? {
        guard let text, UUIDText.decode(text.lowercased()) != nil else { return nil }
        return text.lowercased()
    }
}
