/// What one input says about one test case; paths are as the input gave them.
typealias Observation = TestRecord<ObservedEvidence>
