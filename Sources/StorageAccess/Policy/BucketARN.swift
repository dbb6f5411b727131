/// A bucket's ARN as used in policies. It contains no wildcard characters.
package struct BucketARN: Sendable, Equatable, CustomStringConvertible {
    /// The partitions of AWS, which are isolated from each other; the first is the default.
    package enum Partition: String, Sendable, CaseIterable {
        case aws
        case china = "aws-cn"
        case unitedStatesGovernment = "aws-us-gov"
        case europeanSovereignCloud = "aws-eusc"
    }

    /// `arn:aws:s3:::bucket`
    package let description: String

    /// Returns `nil` for a bucket name that is invalid in S3.
    package init?(partition: Partition, bucket: String) {
        guard Self.isBucketName(bucket) else { return nil }
        description = "arn:\(partition.rawValue):s3:::\(bucket)"
    }

    /// Returns whether the name is valid in S3: 3 to 63 of `a-z`, `0-9`, `.` and `-`, with a letter or digit at both
    /// ends.
    package static func isBucketName(_ name: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8?) -> Bool {
            guard let byte else { return false }
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let inner = name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        return (3...63).contains(name.utf8.count) && inner && isAlphanumeric(name.utf8.first)
            && isAlphanumeric(name.utf8.last) && !name.contains("..")
    }
}
