import ObjectStorage
import S3Protocol

/// The source of a copy: `x-amz-copy-source`.
enum CopySource {
    /// Returns the source's key if the policy allows reading it.
    static func key(_ call: Call, bucket: String) throws(S3Error) -> ObjectKey {
        var text = Substring(call.request.headers[.amzCopySource] ?? "")
        if text.hasPrefix("/") { text.removeFirst() }
        if text.contains("?") { throw .notImplemented("A version of a copy source") }
        // The bucket's name needs no escaping, but some clients escape the slash after it.
        guard let path = AWSPercentEncoding.decode(text) else {
            throw .invalidArgument("Copy Source must mention the source bucket and key: sourcebucket/sourcekey")
        }
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw .invalidArgument("Copy Source must mention the source bucket and key: sourcebucket/sourcekey")
        }
        guard parts[0] == bucket else { throw .noSuchBucket }
        return try call.allowed(.getObject, String(parts[1]))
    }
}
