#if canImport(Security)
    import Foundation
    import Security

    /// Stores secrets in the Keychain of Apple platforms, readable after the first unlock, on this device only. On macOS, a
    /// program without the entitlements of a signed app gets -34018 (`errSecMissingEntitlement`).
    ///
    /// The project's tests run on Linux, where this file is compiled with `scripts/check-apple` but has never run.
    public struct KeychainSecretStorage: SecretStorage {
        /// The items stay when the app is deleted, and are in no backup that another device could restore.
        public var outlivesProfile: Bool { true }

        private let service: String
        private let accessGroup: String?

        /// Opens the Keychain.
        /// - Parameters:
        ///   - service: The service name of the items, for example the app's bundle ID.
        ///   - accessGroup: Shares the items between an app and its extensions: a group of the entitlement
        ///     `keychain-access-groups`, with the prefix of the team.
        public init(service: String, accessGroup: String? = nil) {
            self.service = service
            self.accessGroup = accessGroup
        }

        /// Returns the secret, or `nil` if there is none.
        public func load(_ name: String) throws(SecretStorageError) -> Data? {
            var query = query(name)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            switch status {
            case errSecSuccess: return item as? Data
            case errSecItemNotFound: return nil
            default: throw failure(status, "read")
            }
        }

        /// Stores a secret, replacing the previous one.
        public func save(_ secret: Data, as name: String) throws(SecretStorageError) {
            let status = SecItemUpdate(query(name) as CFDictionary, [kSecValueData: secret] as CFDictionary)
            guard status == errSecItemNotFound else {
                guard status == errSecSuccess else { throw failure(status, "write") }
                return
            }
            var item = query(name)
            item[kSecValueData] = secret
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let added = SecItemAdd(item as CFDictionary, nil)
            guard added == errSecSuccess else { throw failure(added, "write") }
        }

        /// Removes a secret.
        public func delete(_ name: String) throws(SecretStorageError) {
            let status = SecItemDelete(query(name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw failure(status, "delete") }
        }

        private func query(_ name: String) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }

        private func failure(_ status: OSStatus, _ action: String) -> SecretStorageError {
            let reason = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"
            return SecretStorageError(
                detail: "Cannot \(action) the secret in the Keychain: \(reason).",
                cause: FailureCause(.keychainFailed, ["status": "\(status)"]))
        }
    }
#endif
