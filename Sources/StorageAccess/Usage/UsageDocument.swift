import Foundation
import ObjectStorage

/// `usage.json`: the last count of what an account stores.
package struct UsageDocument: VersionedDocument {
    package var version: Int
    /// Bytes under the user's prefixes.
    package var bytes: Int64
    package var objects: Int
    package var countedAt: Date
}
