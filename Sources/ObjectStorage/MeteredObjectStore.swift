/// A store that maintains the totals of its users' objects, and checks a quota, atomically with each change: any
/// number of writers and processes share one count.
package protocol MeteredObjectStore: ObjectStore {
    /// Returns the totals below each prefix, as of one snapshot. A prefix is an account's (`photos/{uuid}/`,
    /// `service/uploads/{uuid}/`), or that of its previews; prefixes without objects are omitted. One read, regardless of the number of
    /// objects.
    func totals(below prefixes: [String]) async throws(ObjectStoreError) -> [String: ObjectTotals]

    /// Writes an object like `write(_:_:attributes:if:)`, unless the quota would be exceeded.
    /// - Parameter late: Returns attributes that depend on the bytes, such as their checksum. Called once, after the
    ///   body has been read completely and before the object is stored; they are added to the others.
    /// - Throws: `quotaExceeded`; nothing is written then.
    @discardableResult
    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota, adding late: @Sendable () -> ObjectAttributes
    ) async throws(ObjectStoreError) -> ObjectInfo
}

extension MeteredObjectStore {
    /// Writes an object whose attributes are all known in advance.
    @discardableResult
    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await write(key, body, attributes: attributes, if: condition, within: quota) { [:] }
    }
}

/// The totals below one prefix.
package struct ObjectTotals: Sendable, Equatable {
    /// The sum of `StorageCharge` over the objects, in bytes.
    package var bytes: Int64
    package var objects: Int64

    package init(bytes: Int64 = 0, objects: Int64 = 0) {
        self.bytes = bytes
        self.objects = objects
    }
}

/// The charge of one object in a metered store, in bytes: its content, its key and its attributes, at least
/// `minimum`, because an empty object uses a file and a row too.
package enum StorageCharge {
    package static let minimum: Int64 = 4096
    /// The stored lengths of an attribute's name and value, in bytes.
    private static let attributeOverhead: Int64 = 8

    package static func bytes(of key: ObjectKey, size: Int64, attributes: ObjectAttributes) -> Int64 {
        let length = attributes.reduce(Int64(0)) { sum, attribute in
            sum + Int64(attribute.key.utf8.count + attribute.value.utf8.count) + attributeOverhead
        }
        return max(minimum, size + Int64(key.description.utf8.count) + length)
    }
}
