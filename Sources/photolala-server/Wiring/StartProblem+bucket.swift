import AWSServices

extension StartProblem {
    /// Returns the message about a bucket's problem, with the operator's remedy.
    static func text(_ fault: BucketCheck.Fault, _ settings: Settings) -> String {
        let place = settings.store.location
        return switch fault {
        case .noBucket: "there is no \(place.dropFirst("the ".count)): make it, or correct s3.bucket"
        case .wrongRegion(let region?): "\(place) is in the region \(region): set s3.region to it"
        case .wrongRegion(nil): "\(place) is in another region than \(settings.store.region): correct s3.region"
        case .clockSkew(let seconds?):
            "the clock of this machine is \(abs(seconds)) seconds \(seconds < 0 ? "behind" : "ahead of") that of "
                + "\(place), which then refuses every request: set the clock"
        case .clockSkew(nil): "the clock of this machine differs too much from that of \(place): set the clock"
        case .credentialsRejected(let words): "\(place) does not take the server's keys (\(words)): correct them"
        case .listDenied:
            "the server's keys may not list \(place): without s3:ListBucket on the bucket itself, what is missing cannot "
                + "be told from what is forbidden"
        case .denied(let words):
            "\(place) refuses the server (\(words)): its keys need s3:ListBucket on the bucket and s3:GetObject, "
                + "s3:PutObject and s3:DeleteObject on its objects, and s3.expectedBucketOwner must be its owner"
        case .ignoresConditions:
            "\(place) ignores the conditions of writes, and accounts would be lost on it: use another engine, or a newer "
                + "version of it"
        case .acceptsStaleSignatures:
            "\(place) takes requests that were signed half an hour ago, or tells no time (Date), so that what a device asked for long ago could "
                + "delete photos: use another engine, or a newer version of it"
        case .unavailable(let words): "\(place) cannot be used: \(words). It does not answer as it should"
        }
    }
}
