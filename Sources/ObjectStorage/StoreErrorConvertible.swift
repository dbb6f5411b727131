/// The error of a domain module that works on stored objects. It distinguishes a damaged object from a failing store.
package protocol StoreErrorConvertible: Error {
    /// A stored object is not in the format that the module writes.
    static func corrupted(_ what: String) -> Self
    /// The store operation failed.
    static func store(_ error: ObjectStoreError) -> Self
}

extension StoreErrorConvertible {
    /// Runs a store request and converts its failure to the module's error.
    package static func mapStoreErrors<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(Self) -> Value {
        do {
            return try await request()
        } catch .corrupted(let key) {
            throw .corrupted(key)
        } catch .tooLarge(let limit) {
            throw .corrupted("object larger than \(limit) bytes")
        } catch {
            throw .store(error)
        }
    }
}
