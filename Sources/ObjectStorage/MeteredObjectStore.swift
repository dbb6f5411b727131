/// A store that keeps totals of what its users store, in the step that changes the objects, and that checks a quota in
/// the same step: any number of writers and processes share one count.
package protocol MeteredObjectStore: ObjectStore {
    /// What stands below each of these prefixes, as of one moment. A prefix is an account's (`photos/{uuid}/`,
    /// `service/uploads/{uuid}/`); prefixes without objects are left out. One read, whatever the number of objects.
    func totals(below prefixes: [String]) async throws(ObjectStoreError) -> [String: ObjectTotals]

    /// Writes an object like `write(_:_:attributes:if:)`, unless it would then exceed the quota.
    /// - Parameter late: returns attributes that only the bytes tell, such as their checksum. Called once, when the body has
    ///   been read to its end and nothing is written yet; they are stored beside the others.
    /// - Throws: `quotaExceeded`; nothing is written then.
    @discardableResult
    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota, adding late: @Sendable () -> ObjectAttributes
    ) async throws(ObjectStoreError) -> ObjectInfo
}

extension MeteredObjectStore {
    /// Writes an object whose attributes are all known.
    @discardableResult
    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await write(key, body, attributes: attributes, if: condition, within: quota) { [:] }
    }
}

/// What stands below one prefix.
package struct ObjectTotals: Sendable, Equatable {
    /// The sum of `StorageCharge` over the objects, in bytes.
    package var bytes: Int64
    package var objects: Int64

    package init(bytes: Int64 = 0, objects: Int64 = 0) {
        self.bytes = bytes
        self.objects = objects
    }
}

/// What one object counts for in a metered store, in bytes: its content, its key and its attributes, and at least
/// `minimum`, because an empty object takes a file and a row all the same.
package enum StorageCharge {
    package static let minimum: Int64 = 4096
    /// The lengths of a name and of a value are stored beside each attribute, in bytes.
    private static let attributeOverhead: Int64 = 8

    package static func bytes(of key: ObjectKey, size: Int64, attributes: ObjectAttributes) -> Int64 {
        let length = attributes.reduce(Int64(0)) { sum, attribute in
            sum + Int64(attribute.key.utf8.count + attribute.value.utf8.count) + attributeOverhead
        }
        return max(minimum, size + Int64(key.description.utf8.count) + length)
    }
}
